import { readDelivery, type PublicationDelivery } from '@floorcast/contract/delivery-report.ts'
import type { Reference } from '@floorcast/contract/fields.ts'
import type { MediaCard } from '@floorcast/contract/media.ts'
import { Anchor, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { IconPlaylist, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { listQuery } from '../../platform/call-query.ts'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useNow } from '../../platform/use-now.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ReportLink } from '../../ui/report-link.tsx'
import { RestoredMark } from '../../ui/restored/restored-mark.tsx'
import { mediaQueries } from './media-data.ts'
import styles from './media.module.css'
import { ProofActions } from './proof-actions.tsx'

const dayMs = 86_400_000

/** The selectable numbers of days, including today. */
const deliveryDays = [1, 7, 30] as const
type DeliveryDays = (typeof deliveryDays)[number]

/** The days of a period in UTC, both inclusive. @param nowMs the present, in ms since the epoch */
export function deliveryPeriod(days: DeliveryDays, nowMs: number): { from: string; to: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return { from: day(nowMs - (days - 1) * dayMs), to: day(nowMs) }
}

const deliveryQuery = (uid: string, period: { from: string; to: string }) =>
  listQuery(queryKeys.media.delivery(uid, period), readDelivery, { params: { uid }, query: period })

/** Booked, scheduled and aired plays of an ad by publication, and why they differ. */
export function MediaDelivery({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const [days, setDays] = useState<DeliveryDays>(7)
  const now = useNow(null)
  const period = deliveryPeriod(days, now)
  const result = useQuery(deliveryQuery(media.uid, period))
  const { data } = result
  return (
    <Panel
      title={t('media:delivery.title')}
      end={
        <Group gap="xs">
          <ReportLink
            to={paths.report('r1ext', { track: media.uid, contentType: media.contentType, ...period })}
          />
          <Text size="sm" c="dimmed">
            {t('media:delivery.utcDays')}
          </Text>
          <SegmentedControl
            aria-label={t('media:delivery.period')}
            value={String(days)}
            onChange={value => setDays(deliveryDays.find(known => String(known) === value) ?? 7)}
            data={deliveryDays.map(value => ({
              value: String(value),
              label: value === 1 ? t('media:delivery.today') : t('media:delivery.days', { count: value }),
            }))}
          />
        </Group>
      }
    >
      {result.isPending && <Skeleton height={120} aria-busy />}
      {result.isError && !data && <ErrorPanel error={result.error} retry={() => void result.refetch()} />}
      {data?.publications.length === 0 && <Text c="dimmed">{t('media:delivery.none')}</Text>}
      {data && data.publications.length > 0 && (
        <>
          <RestoredMark restored={data.restored} />
          <PlainTable
            label={t('media:delivery.title')}
            columns={deliveryColumns({ t, format }, data)}
            rows={data.publications}
            rowKey={({ publication }) => publication.uid}
            total={data.publications.length > 1 ? deliveryTotal({ t, format }, data.publications) : undefined}
          />
          <Text size="sm" c="dimmed" mt="sm">
            {t('media:delivery.counted')}
          </Text>
          <ProofActions media={media} period={period} />
        </>
      )}
    </Panel>
  )
}

/** The requested period, up to now. */
interface Period {
  from: string
  to: string
}

function deliveryColumns(
  { t, format }: { t: Translate; format: Format },
  period: Period,
): ListColumn<PublicationDelivery>[] {
  const anHour = (value: number | null) =>
    value === null ? '–' : t('media:delivery.perHour', { plays: format.number(value, 2) })
  const figure = (plays: number, rate: number | null) => (
    <Stack gap={0} align="flex-end" className={styles.figures ?? ''}>
      <span>{format.number(plays)}</span>
      <Text size="xs" c="dimmed" component="span">
        {anHour(rate)}
      </Text>
    </Stack>
  )
  return [
    {
      id: 'publication',
      header: t('media:delivery.publication'),
      cell: row => <Where delivery={row} period={period} />,
    },
    {
      id: 'promised',
      header: t('media:delivery.booked'),
      isNumber: true,
      cell: row => figure(row.promised, row.promisedAnHour),
    },
    {
      id: 'planned',
      header: t('media:delivery.scheduled'),
      isNumber: true,
      cell: row => figure(row.planned, row.plannedAnHour),
    },
    {
      id: 'made',
      header: t('media:delivery.aired'),
      isNumber: true,
      cell: row => figure(row.made, row.madeAnHour),
    },
    {
      id: 'share',
      header: t('media:delivery.share'),
      isNumber: true,
      cell: row => shareAired(format, row),
    },
    { id: 'why', header: t('media:delivery.reason'), cell: row => <Gaps delivery={row} /> },
  ]
}

/** Aired plays of those booked; a dash where none were. */
const shareAired = (format: Format, { made, promised }: Pick<PublicationDelivery, 'made' | 'promised'>) =>
  promised === 0 ? '–' : format.percent(made / promised, 1)

/** The plays of all publications, in the columns' places. */
function deliveryTotal(
  { t, format }: { t: Translate; format: Format },
  publications: readonly PublicationDelivery[],
): Record<string, string> {
  const sum = (of: 'promised' | 'planned' | 'made') => publications.reduce((all, each) => all + each[of], 0)
  const [promised, planned, made] = [sum('promised'), sum('planned'), sum('made')]
  return {
    publication: t('media:delivery.total'),
    promised: format.number(promised),
    planned: format.number(planned),
    made: format.number(made),
    share: shareAired(format, { made, promised }),
  }
}

/** The publication and its devices, and the counted period if it is not the whole one. */
function Where({ delivery, period }: { delivery: PublicationDelivery; period: Period }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { publication, group, devices, since, until } = delivery
  return (
    <Stack gap={0}>
      <Anchor component={Link} to={paths.publication(publication.uid)}>
        <bdi>{publication.name}</bdi>
      </Anchor>
      <Text size="xs" c="dimmed">
        {t('media:delivery.where', { group: group.name, count: devices })}
      </Text>
      {since > period.from && (
        <Text size="xs" c="dimmed" className={styles.note ?? ''}>
          {t('media:delivery.since', { moment: format.dateTime(since) })}
        </Text>
      )}
      {until < period.to && (
        <Text size="xs" fw={500} className={styles.note ?? ''}>
          {t('media:delivery.stopped', { moment: format.dateTime(until) })}
        </Text>
      )}
    </Stack>
  )
}

/** The reasons for fewer or more plays than booked. */
function Gaps({ delivery: { promised, gaps, extra } }: { delivery: PublicationDelivery }) {
  const { t } = useTranslate()
  const format = useFormat()
  if (gaps.length === 0 && extra === 0) return promised === 0 ? '–' : t('media:delivery.asBooked')
  return (
    <ul className={styles.gaps}>
      {gaps.map(({ why, plays }) => (
        <li key={why}>
          {t('media:delivery.gap', { why: t(`media:delivery.gaps.${why}`), plays: format.number(plays) })}
        </li>
      ))}
      {extra > 0 && <li>{t('media:delivery.unscheduled', { plays: format.number(extra) })}</li>}
    </ul>
  )
}

const defaults = {}

/** The playlists that contain an item, or the groups that play it now. */
export function MediaUsage({ media, where }: { media: MediaCard; where: 'playlists' | 'groups' }) {
  const { t } = useTranslate()
  const list = useList(defaults)
  const { contentType, uid } = media
  const { page, size, search } = list.query
  const query = { page, size, search }
  const result = useQuery(
    where === 'playlists'
      ? mediaQueries.playlists({ contentType, uid }, query)
      : mediaQueries.groups({ contentType, uid }, query),
  )
  const isPlaylists = where === 'playlists'
  return (
    <DataTable<Reference>
      name={`media-${where}`}
      label={t(`media:usage.${where}.label`)}
      list={list}
      result={result}
      columns={[{ id: 'name', header: t('name'), cell: row => <bdi>{row.name}</bdi> }]}
      rowName={row => row.name}
      rowHref={row => (isPlaylists ? paths.playlist(row.uid) : paths.group(row.uid))}
      empty={
        <EmptyState
          icon={isPlaylists ? IconPlaylist : IconUsersGroup}
          title={t(`media:usage.${where}.title`)}
          text={t(`media:usage.${where}.text`)}
        />
      }
    />
  )
}
