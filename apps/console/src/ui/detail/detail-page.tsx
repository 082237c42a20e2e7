import { CallError } from '@floorcast/contract/client.ts'
import { Group, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNamedPage } from '../../platform/page-name.ts'
import { ErrorPanel } from '../error-panel.tsx'
import { Panel } from '../panel.tsx'
import styles from './detail.module.css'

interface DetailPageProps<Item> {
  result: { data: Item | undefined; isPending: boolean; error: unknown; refetch: () => unknown }
  name: (item: Item) => string
  /** The state, below the name. */
  status?: (item: Item) => ReactNode
  /** The main actions, at the end of the header. */
  actions?: (item: Item) => ReactNode
  children: (item: Item) => ReactNode
}

/** A page about one item, whose name is the page's heading: state and actions, then its details. */
export function DetailPage<Item>({ result, ...props }: DetailPageProps<Item>) {
  const { data } = result
  useNamedPage(data === undefined ? undefined : props.name(data), true)
  // Somebody has deleted it while it was open.
  const isGone = result.error instanceof CallError && result.error.status === 404
  if (data === undefined || isGone) {
    if (result.isPending) return <DetailSkeleton />
    return <ErrorPanel error={result.error} retry={() => void result.refetch()} />
  }
  return (
    <Stack gap="md">
      <Group className={styles.header} justify="space-between" gap="sm">
        <Group gap="sm" className={styles.title}>
          {props.status?.(data)}
        </Group>
        <Group gap="xs">{props.actions?.(data)}</Group>
      </Group>
      {props.children(data)}
    </Stack>
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
