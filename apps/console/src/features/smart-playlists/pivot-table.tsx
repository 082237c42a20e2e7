import type { SmartDay } from '@floorcast/planner/smart-day.ts'
import { Group, SegmentedControl } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { countPivot, rowOfTrack, rowOfTracks, type Pivot, type PivotRow, type PivotUnit } from './pivot.ts'
import styles from './smart-playlists.module.css'

const pageSize = 10

type RowsBy = 'track' | 'kind'

interface ShownRow extends PivotRow {
  key: string
  name: string
}

/** Plays or seconds in each hour, by track or by kind. */
export const PivotTable = memo(function PivotTable({ day }: { day: SmartDay }) {
  const { t } = useTranslate()
  const [by, setBy] = useState<RowsBy>('track')
  const [unit, setUnit] = useState<PivotUnit>('plays')
  const [wantedPage, setWantedPage] = useState(1)
  const pivot = useMemo(() => countPivot(day), [day])
  const total = day.tracks.length
  const page = Math.max(1, Math.min(wantedPage, Math.ceil(total / pageSize)))
  const kindRow = (kind: 'ad' | 'melody'): ShownRow => {
    const range = kind === 'ad' ? { from: day.melodies, to: total } : { from: 0, to: day.melodies }
    return { key: kind, name: t(`wizard:kinds.${kind}`), ...rowOfTracks(pivot, range, unit) }
  }
  const rows = by === 'kind' ? [kindRow('ad'), kindRow('melody')] : rowsOfPage(day, pivot, { page, unit })
  return (
    <Panel
      title={t('wizard:pivot.title')}
      end={
        <Group gap="xs">
          <SegmentedControl
            aria-label={t('wizard:pivot.rows')}
            value={by}
            onChange={value => setBy(value === 'kind' ? 'kind' : 'track')}
            data={[
              { value: 'track', label: t('wizard:pivot.track') },
              { value: 'kind', label: t('wizard:pivot.kind') },
            ]}
          />
          <SegmentedControl
            aria-label={t('wizard:pivot.unit')}
            value={unit}
            onChange={value => setUnit(value === 'seconds' ? 'seconds' : 'plays')}
            data={[
              { value: 'plays', label: t('wizard:pivot.plays') },
              { value: 'seconds', label: t('wizard:pivot.seconds') },
            ]}
          />
        </Group>
      }
    >
      <PivotGrid hours={pivot.hours} rows={rows} />
      {by === 'track' && (
        <Pager
          label={t('wizard:pivot.pages')}
          page={page}
          size={pageSize}
          total={total}
          onChange={setWantedPage}
        />
      )}
    </Panel>
  )
})

/** Ads come first: users look for them. */
function rowsOfPage(
  day: SmartDay,
  pivot: Pivot,
  { page, unit }: { page: number; unit: PivotUnit },
): ShownRow[] {
  const { melodies, tracks } = day
  const ads = tracks.length - melodies
  const last = Math.min(tracks.length, page * pageSize)
  const rows: ShownRow[] = []
  for (let place = (page - 1) * pageSize; place < last; place += 1) {
    const track = place < ads ? melodies + place : place - ads
    rows.push({ key: String(track), name: tracks[track]?.name ?? '', ...rowOfTrack(pivot, track, unit) })
  }
  return rows
}

const hourName = (hour: number) => String(hour).padStart(2, '0')

function PivotGrid({ hours, rows }: { hours: readonly number[]; rows: readonly ShownRow[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <div className={styles.scroller} role="group" tabIndex={0} aria-label={t('wizard:pivot.title')}>
      <table className={styles.table} data-pivot>
        <thead>
          <tr>
            <th>{t('name')}</th>
            <th>{t('wizard:pivot.total')}</th>
            {hours.map((hour, column) => (
              // A day that starts within an hour has that hour twice.
              <th key={column}>{hourName(hour)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.key}>
              <th scope="row">
                <bdi>{row.name}</bdi>
              </th>
              <td data-total>{format.number(row.total)}</td>
              {row.figures.map((figure, column) => (
                <td key={column} data-zero={figure === 0 || undefined}>
                  {format.number(figure)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
