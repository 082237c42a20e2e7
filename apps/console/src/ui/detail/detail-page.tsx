import { CallError } from '@floorcast/contract/client.ts'
import { ActionIcon, Group, Skeleton, Stack } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { useNamedPage } from '../../platform/page-name.ts'
import { paths } from '../../platform/paths.ts'
import type { RenameItem } from '../../platform/renaming.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { useRecent } from '../../platform/recent.ts'
import { ErrorPanel } from '../error-panel.tsx'
import { Panel } from '../panel.tsx'
import styles from './detail.module.css'

interface DetailPageProps<Item extends { uid: string }> {
  result: { data: Item | undefined; isPending: boolean; error: unknown; refetch: () => unknown }
  name: (item: Item) => string
  rename?: RenameItem<Item>
  /** The state, below the name. */
  status?: (item: Item) => ReactNode
  /** The main actions, at the end of the header. */
  actions?: (item: Item) => ReactNode
  children: (item: Item) => ReactNode
}

/** A page about one item, whose name is the page's heading: state and actions, then its details. */
export function DetailPage<Item extends { uid: string }>({ result, ...props }: DetailPageProps<Item>) {
  const { data } = result
  useNamedPage(
    data === undefined ? undefined : props.name(data),
    true,
    (data === undefined ? null : props.rename?.(data)) ?? null,
  )
  // Somebody has deleted it while it was open.
  const isGone = result.error instanceof CallError && result.error.status === 404
  useRecent(data === undefined ? undefined : props.name(data), isGone)
  if (data === undefined || isGone) {
    if (result.isPending) return <DetailSkeleton />
    return <ErrorPanel error={result.error} retry={() => void result.refetch()} isPage />
  }
  return (
    <Stack gap="md">
      <Group className={styles.header} justify="space-between" gap="sm">
        <Group gap="sm" className={styles.title}>
          {props.status?.(data)}
        </Group>
        <Group gap="xs" className={styles.actions}>
          {props.actions?.(data)}
          <HistoryLink uid={data.uid} />
        </Group>
      </Group>
      {props.children(data)}
    </Stack>
  )
}

/** Leads admins to who changed the item, when and how. */
function HistoryLink({ uid }: { uid: string }) {
  const { t } = useTranslate()
  if (useSignedInUser().role !== 'admin') return null
  return (
    <ActionIcon
      component={Link}
      to={paths.auditOf(uid)}
      variant="default"
      size={36}
      className={styles.history}
      aria-label={t('shell:changeHistory')}
      title={t('shell:changeHistory')}
    >
      <IconHistory size={20} aria-hidden />
    </ActionIcon>
  )
}

function DetailSkeleton() {
  return (
    <Stack gap="md" aria-busy>
      <Skeleton height={36} width={280} />
      <Panel>
        <Stack gap="md">
          {[60, 80, 50, 70, 40].map(width => (
            <Skeleton key={width} height={16} width={`${width}%`} />
          ))}
        </Stack>
      </Panel>
    </Stack>
  )
}
