import {
  HoldingState,
  type PublicationCard,
  type PublicationDevice,
  PublicationDeviceFilter,
  type Readiness as ReadinessCounts,
} from '@floorcast/contract/publications.ts'
import { Text, Title } from '@mantine/core'
import { IconDevices } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { readFilter } from '../../ui/data-table/list-address.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { useList, type ListControl } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StateCounts } from '../../ui/state-counts.tsx'
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx'
import { describeReadiness } from './publication-readiness.ts'
import { publicationQueries } from './publications-data.ts'

const tones: Record<HoldingState, StatusTone> = { missing: 'late', neverReported: 'none', holding: 'good' }
const bar = [
  ['holding', 'green'],
  ['missing', 'amber'],
] as const

const defaults = { filters: ['state'], sort: 'missing' } as const

/** How many devices hold everything this publication needs, and which do not; both follow the devices' reports. */
export function PublicationDevices({ publication }: { publication: PublicationCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useList(defaults)
  const columns = useMemo(() => deviceColumns(t, format), [t, format])
  const result = useQuery(
    publicationQueries.devices(publication.uid, readFilter(PublicationDeviceFilter, list.query)),
  )
  return (
    <>
      <Readiness readiness={publication.readiness} list={list} />
      <Title order={2}>{t('publications:devices')}</Title>
      <DataTable
        name="publication-devices"
        label={t('publications:devices')}
        list={list}
        result={result}
        columns={columns}
        rowName={device => device.name}
        rowHref={device => paths.device(device.uid)}
        filters={[
          {
            name: 'state',
            label: t('publications:holds'),
            options: HoldingState.options.map(value => ({
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

interface ReadinessProps {
  readiness: ReadinessCounts | null
  list: ListControl
}

/** The readiness as a bar and as counts; a count filters the list of devices by its state. */
function Readiness({ readiness, list }: ReadinessProps) {
  const { t } = useTranslate()
  const format = useFormat()
  if (!readiness || readiness.devices === 0) return null
  return (
    <Panel title={t('publications:readiness')}>
      <Text mb="xs">{describeReadiness({ t, format }, readiness)}</Text>
      <StateCounts
        counts={readiness}
        total={readiness.devices}
        bar={bar}
        states={HoldingState.options}
        tones={tones}
        name={state => t(`publications:holding.${state}`)}
        chosen={HoldingState.safeParse(list.view.filters['state']).data ?? null}
        choose={state => list.show({ filters: state === null ? {} : { state } })}
      />
    </Panel>
  )
}

function deviceColumns(t: Translate, format: Format): ListColumn<PublicationDevice>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: row => <bdi>{row.name}</bdi> },
    {
      id: 'storeNumber',
      header: t('publications:storeNumber'),
      isSortable: true,
      cell: row => row.storeNumber && <bdi>{row.storeNumber}</bdi>,
    },
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
      cell: row => row.lastContactAt && format.dateTime(row.lastContactAt),
    },
  ]
}

function Holds({ missing }: { missing: number | null }) {
  const { t } = useTranslate()
  if (missing === null)
    return <StatusBadge tone="none">{t('publications:holding.neverReported')}</StatusBadge>
  if (missing === 0) return <StatusBadge tone="good">{t('publications:holding.holding')}</StatusBadge>
  return <StatusBadge tone="late">{t('publications:filesMissing', { count: missing })}</StatusBadge>
}
