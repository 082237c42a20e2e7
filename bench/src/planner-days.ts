import type { PlanBlock, PlanInput, PlanTrack } from '@floorcast/planner/plan-types.ts'

/** Numbers from 0 to 1 that are the same in each run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

interface Lengths {
  least: number
  most: number
}

/** Melodies of two to five minutes, ads of ten seconds to one minute; to the millisecond, as files are. */
export const songs: Lengths = { least: 120, most: 300 }
export const spots: Lengths = { least: 10, most: 60 }
export const twoSeconds: Lengths = { least: 2, most: 2 }

function tracks(prefix: string, count: number, { least, most }: Lengths): PlanTrack[] {
  const roll = dice(count)
  return Array.from({ length: count }, (_, n) => {
    const duration = Math.round((least + (most - least) * roll()) * 1000) / 1000
    return { uid: `${prefix}-${String(n).padStart(36, '0')}`, duration }
  })
}

export interface Day {
  melodies: number
  ads: number
  hours: number
  lengths?: { melody: Lengths; ad: Lengths }
  /** Weights from 1 to 10 in turn. */
  isWeighted?: boolean
  /** Minimum ad separation in seconds. */
  minAdGap?: number
}

const weigh = (list: PlanTrack[]) => list.map((track, n) => ({ ...track, weight: 1 + (n % 10) }))

/** A day from midnight with the wizard's defaults. */
export function dayOf({ melodies, ads, hours, lengths, isWeighted, minAdGap = 0 }: Day): PlanInput {
  const melList = tracks('melody', melodies, lengths?.melody ?? songs)
  const adsList = tracks('ad', ads, lengths?.ad ?? spots)
  return {
    type: 'audio-smart',
    startDay: '00:00',
    endDay: hours === 24 ? '23:59' : `${String(hours).padStart(2, '0')}:00`,
    melTime: 360,
    adsTime: 900,
    melMode: 'auto',
    adsMode: 'auto',
    melList: isWeighted ? weigh(melList) : melList,
    adsList: isWeighted ? weigh(adsList) : adsList,
    minAdGap,
    seed: 1,
  }
}

/** Plans in the list's order until the target is passed, again and again; the day ends with the last track that fits. */
export function planPlainly(input: PlanInput, windowSeconds: number): PlanBlock[] {
  const kinds = [
    { kind: 'melody' as const, list: input.melList, target: input.melTime, next: 0 },
    { kind: 'ad' as const, list: input.adsList, target: input.adsTime, next: 0 },
  ]
  const blocks: PlanBlock[] = []
  let end = 0
  for (;;) {
    const kind = kinds[blocks.length % 2]
    const block: PlanBlock = { kind: kind?.kind ?? 'melody', start: end, duration: 0, items: [] }
    while (kind && block.duration < kind.target) {
      const track = kind.list[kind.next++ % kind.list.length]
      if (!track || end + track.duration > windowSeconds)
        return block.items.length > 0 ? [...blocks, block] : blocks
      block.items.push({ uid: track.uid, start: end, duration: track.duration })
      block.duration += track.duration
      end += track.duration
    }
    blocks.push(block)
  }
}
