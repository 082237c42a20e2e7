import type { SmartDay, DaySummary } from '@floorcast/planner/smart-day.ts'
import { Stack } from '@mantine/core'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { BlockPanel } from './block-panel.tsx'
import { KeyFeatures } from './key-features.tsx'
import { PivotTable } from './pivot-table.tsx'
import { shareOfAds } from './pivot.ts'
import { Ribbon } from './ribbon.tsx'
import { blockOf, countBlocks } from './smart-blocks.ts'
import styles from './smart-playlists.module.css'

const pageSize = 10

/** Plays an hour, plays, share of air time and shortest distance of each ad. */
const AdShares = memo(function AdShares({ day }: { day: SmartDay }) {
  const { t } = useTranslate()
  const format = useFormat()
  const shares = useMemo(() => shareOfAds(day), [day])
  const [wantedPage, setWantedPage] = useState(1)
  const page = Math.max(1, Math.min(wantedPage, Math.ceil(shares.length / pageSize)))
  return (
    <Panel title={t('wizard:ads.title')}>
      <div className={styles.scroller} role="group" tabIndex={0} aria-label={t('wizard:ads.title')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th>{t('wizard:ads.ad')}</th>
              <th>{t('wizard:ads.weight')}</th>
              <th>{t('wizard:ads.playsAnHour')}</th>
              <th>{t('wizard:ads.plays')}</th>
              <th>{t('wizard:ads.share')}</th>
              <th>{t('wizard:ads.nearest')}</th>
            </tr>
          </thead>
          <tbody>
            {shares.slice((page - 1) * pageSize, page * pageSize).map(share => (
              <tr key={share.track}>
                <th scope="row">
                  <bdi>{day.tracks[share.track]?.name}</bdi>
                </th>
                <td>{format.number(day.tracks[share.track]?.weight ?? 1)}</td>
                <td>{format.number(share.playsAnHour, 2)}</td>
                <td>{format.number(share.plays)}</td>
                <td>{format.percent(share.share, 1)}</td>
                <td>{share.nearestSeconds === null ? '–' : format.span(share.nearestSeconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager
        label={t('wizard:ads.pages')}
        page={page}
        size={pageSize}
        total={shares.length}
        onChange={setWantedPage}
      />
    </Panel>
  )
})

interface DayViewProps {
  day: SmartDay
  summary: DaySummary
  /** The minimum ad separation that was set, in seconds. */
  minAdGap: number
  isVideo: boolean
}

/** A planned day: the ribbon, the chosen block, key features and tables. While the user drags, the ribbon is rendered first. */
export const DayView = memo(function DayView({ day, summary, minAdGap, isVideo }: DayViewProps) {
  const [wantedBlock, setWantedBlock] = useState(0)
  const [playing, setPlaying] = useState<number | null>(null)
  const index = Math.max(0, Math.min(wantedBlock, countBlocks(day) - 1))
  const block = useMemo(() => blockOf(day, index), [day, index])
  const deferredDay = useDeferredValue(day)
  const deferredSummary = useDeferredValue(summary)
  const choose = (next: number) => {
    setWantedBlock(next)
    if (next !== index) setPlaying(null)
  }
  return (
    <Stack gap="md">
      <Ribbon day={day} chosen={index} choose={choose} play={() => setPlaying(0)} />
      <div className={styles.beside}>
        {block && (
          <BlockPanel day={day} block={block} isVideo={isVideo} playing={playing} setPlaying={setPlaying} />
        )}
        <KeyFeatures summary={deferredSummary} minAdGap={minAdGap} />
      </div>
      <AdShares day={deferredDay} />
      <PivotTable day={deferredDay} />
    </Stack>
  )
})
