import type { SmartDay } from '@floorcast/planner/smart-day.ts'
import type { Format } from '../../platform/format.ts'
import type { Words } from '../../platform/i18n.ts'
import { countBlocks, wallSeconds, type SmartBlock } from './smart-blocks.ts'
import { sayWallTime } from './wall-time.ts'

/** A block in one line: 'Ads, 09:06:00 to 09:21:02, 12 plays, block 2 of 137'. */
export function describeBlock(
  { t, format }: { t: Words; format: Format },
  day: SmartDay,
  block: SmartBlock,
): string {
  return t('wizard:ribbon.block', {
    kind: t(`wizard:kinds.${block.isAd ? 'ad' : 'melody'}`),
    from: sayWallTime(wallSeconds(day, block.start)),
    to: sayWallTime(wallSeconds(day, block.start + block.duration)),
    plays: t('wizard:plays', { count: block.plays.length }),
    place: format.number(block.index + 1),
    blocks: format.number(countBlocks(day)),
  })
}
