import { airTimes } from './air-time.ts'
import { KINDS, listOf, weightOf, wholeSeconds, type KindList } from './list.ts'
import { plan } from './plan.ts'
import type { PlanInput } from './plan-types.ts'
import type { PlanFindings, PlanRefusal } from './validate-types.ts'

/** Background of more than so many times its air time is a mistake. */
const FAR_BEYOND = 10

interface Air {
  list: KindList
  content: number
  air: number
  /** The plays that an ad of the least weight may count on. */
  leastPlays: number
}

function airOf(list: KindList, air: number): Air {
  const weights = list.tracks.map(weightOf)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const perPlay = list.tracks.reduce((sum, track) => sum + (track.duration * weightOf(track)) / total, 0)
  const least = weights.reduce((smallest, weight) => Math.min(smallest, weight), Infinity)
  return { list, content: wholeSeconds(list), air, leastPlays: ((air / perPlay) * least) / total }
}

function validateAds({ list, content, air, leastPlays }: Air, unheard: string[]): PlanRefusal[] {
  // The first background block takes the whole window: it is there that room is made.
  const step = air > 0 ? 'ads' : 'background'
  if (!list.isEven && air > 0 && leastPlays < 1) {
    const least = list.tracks.reduce((smallest, track) => Math.min(smallest, weightOf(track)), Infinity)
    const refusals = list.tracks.map((track): PlanRefusal => {
      const plays = (leastPlays * weightOf(track)) / least
      return { step, code: 'ad-share-under-one', uid: track.uid, plays }
    })
    return refusals.filter(refusal => refusal.code === 'ad-share-under-one' && refusal.plays < 1)
  }
  if (content <= air && unheard.length === 0) return []
  return [{ step, code: 'ads-beyond-air-time', content, air, unheard }]
}

function validateBackground({ content, air }: Air, unheard: number): PlanFindings {
  const step = 'background'
  if (content > FAR_BEYOND * air)
    return { refusals: [{ step, code: 'background-far-beyond', content, air }], warnings: [] }
  if (unheard === 0) return { refusals: [], warnings: [] }
  return { refusals: [], warnings: [{ step, code: 'background-not-all-heard', unheard, content, air }] }
}

/** Whether the content is heard in the window: by the time that each kind may count on, and by a plan. Both lists have tracks, and the window is not empty. */
export function validateAir(input: PlanInput): PlanFindings {
  const times = airTimes(input)
  const melodies = airOf(listOf(input, KINDS[0]), times.melody)
  const ads = airOf(listOf(input, KINDS[1]), times.ad)
  const unheard = plan(input).summary.tracks.filter(track => track.plays === 0)
  const unheardAds = unheard.filter(({ kind }) => kind === 'ad').map(({ uid }) => uid)
  const background = validateBackground(melodies, unheard.length - unheardAds.length)
  return { ...background, refusals: [...validateAds(ads, unheardAds), ...background.refusals] }
}
