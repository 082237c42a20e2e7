import type { SmartDay, DaySummary } from '@floorcast/planner/smart-day.ts'
import { Stack } from '@mantine/core'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import { AdShares } from './ad-shares.tsx'
import { BlockPanel } from './block-panel.tsx'
import { KeyFeatures } from './key-features.tsx'
import { PivotTable } from './pivot-table.tsx'
import { Ribbon } from './ribbon.tsx'
import { blockOf, countBlocks } from './smart-blocks.ts'
import styles from './smart-playlists.module.css'

interface DayViewProps {
  day: SmartDay
  summary: DaySummary
  isVideo: boolean
}

/** A planned day: the ribbon, the chosen block, the key features and the tables. While one drags the ribbon comes first. */
export const DayView = memo(function DayView({ day, summary, isVideo }: DayViewProps) {
  const [wanted, setBlock] = useState(0)
  const [at, listen] = useState<number | null>(null)
  const index = Math.max(0, Math.min(wanted, countBlocks(day) - 1))
  const block = useMemo(() => blockOf(day, index), [day, index])
  const calmDay = useDeferredValue(day)
  const calmSummary = useDeferredValue(summary)
  const choose = (next: number) => {
    setBlock(next)
    if (next !== index) listen(null)
  }
  return (
    <Stack gap="md">
      <Ribbon day={day} chosen={index} choose={choose} play={() => listen(0)} />
      <div className={styles.beside}>
        {block && <BlockPanel day={day} block={block} isVideo={isVideo} at={at} listen={listen} />}
        <KeyFeatures summary={calmSummary} />
      </div>
      <AdShares day={calmDay} />
      <PivotTable day={calmDay} />
    </Stack>
  )
})
