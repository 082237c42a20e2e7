import type { PublicationCard } from '@floorcast/contract/publications.ts'
import { Progress, Text, Title } from '@mantine/core'
import { IconDevices } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { pageDevices, type PublicationDevice } from './publication-device-list.ts'
import { describeReadiness } from './publication-readiness.ts'

/** The devices come with the card: there is nothing to wait for. */
const known = { isPending: false, isError: false, isPlaceholderData: false, error: null, refetch: () => {} }
const defaults = { filters: ['holds'], sort: 'missing' } as const

/** How many devices hold everything this publication needs, and which do not. */
export function PublicationDevices({ publication }: { publication: PublicationCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useList(defaults)
  const columns = useMemo(() => deviceColumns(t, format), [t, format])
  const { readiness, devices } = publication
  const data = useMemo(() => pageDevices(devices, list.view), [devices, list.view])
  return (
    <>
      <ReadinessPanel readiness={readiness} />
      <Title order={2}>{t('publications:devices')}</Title>
      <DataTable
        name="publication-devices"
        label={t('publications:devices')}
        list={list}
        result={{ ...known, data }}
        columns={columns}
        rowName={device => device.name}
        rowHref={device => paths.device(device.uid)}
        filters={[
          {
            name: 'holds',
            label: t('publications:holds'),
            options: (['all', 'missing', 'unknown'] as const).map(value => ({
              value,
              label: t(`publications:holding.${value}`),
            })),
          },
        ]}
        empty={
          <EmptyState
            icon={IconDevices}
            title={t('publications:noDevices')}
            text={t('publications:noDevicesText', { group: publication.group.name })}
          />
        }
      />
    </>
  )
}

function ReadinessPanel({ readiness }: Pick<PublicationCard, 'readiness'>) {
  const { t } = useTranslate()
  const format = useFormat()
  if (!readiness || readiness.devices === 0) return null
  const share = readiness.holding / readiness.devices
  return (
    <Panel title={t('publications:readiness')}>
      <Text mb="xs">{describeReadiness({ t, format }, readiness)}</Text>
      {readiness.neverReported > 0 && (
        <Text mb="xs" size="sm" c="dimmed">
          {t('publications:neverReported', { count: readiness.neverReported })}
        </Text>
      )}
      <Progress
        value={share * 100}
        size="lg"
        color={share === 1 ? 'green' : 'amber'}
        aria-label={t('publications:readiness')}
      />
    </Panel>
  )
}

function deviceColumns(t: Translate, format: Format): ListColumn<PublicationDevice>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: row => <bdi>{row.name}</bdi> },
    {
      id: 'missing',
      header: t('publications:holds'),
      isSortable: true,
      cell: row => <Holds missing={row.missing} />,
    },
    {
      id: 'lastContactAt',
      header: t('publications:lastContact'),
      isSortable: true,
      cell: row => (row.lastContactAt ? format.dateTime(row.lastContactAt) : '–'),
    },
  ]
}

function Holds({ missing }: { missing: number | null }) {
  const { t } = useTranslate()
  if (missing === null) return <StatusBadge tone="none">{t('publications:holding.unknown')}</StatusBadge>
  if (missing === 0) return <StatusBadge tone="good">{t('publications:holding.all')}</StatusBadge>
  return <StatusBadge tone="late">{t('publications:filesMissing', { count: missing })}</StatusBadge>
}
