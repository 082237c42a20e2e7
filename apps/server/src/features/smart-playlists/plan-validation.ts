import type { BlockKind } from '@floorcast/contract/fields.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import type { ImportFault, Reason } from '@floorcast/contract/outcomes.ts'
import type { SmartDraft, SmartPlaylistType } from '@floorcast/contract/smart-playlists.ts'
import type { BrokenRule } from '@floorcast/planner/broken-rule.ts'
import { check } from '@floorcast/planner/check.ts'
import { plan } from '@floorcast/planner/plan.ts'
import type { PlanInput } from '@floorcast/planner/plan-types.ts'
import { windowSeconds } from '@floorcast/planner/plan-window.ts'
import { validate, type PlanRefusal } from '@floorcast/planner/validate.ts'
import { runInWorker } from '../../platform/lib/run-in-worker.ts'

/** Tolerance of times in seconds, as in the planner's rules. */
const TOLERANCE = 0.01
const MAX_FAULTS = 100

/** A media item that a draft names. */
export interface DraftMedia {
  uid: string
  name: string
  contentType: MediaType
  isInBin: boolean
  fileVersion: number
  durationSeconds: number
}

export interface DraftFaults {
  reason: Reason
  faults: ImportFault[]
  /** The names of the media with faults, each once. */
  names: string[]
}

/** The planner's faults of a draft, without the names of the media. */
export type PlanFaults = Pick<DraftFaults, 'reason' | 'faults'>

type ListName = 'melList' | 'adsList'
const LISTS: readonly ListName[] = ['melList', 'adsList']
const listOf = ({ kind }: { kind: BlockKind }): ListName => (kind === 'melody' ? 'melList' : 'adsList')

const CONTENT_TYPES: Record<SmartPlaylistType, Record<ListName, MediaType>> = {
  'audio-smart': { melList: 'melodies', adsList: 'ads' },
  'video-smart': { melList: 'videos', adsList: 'videosAds' },
}

export const kindOfSmart = (type: SmartPlaylistType) => (type === 'audio-smart' ? 'audio' : 'video')

export const planInputOf = ({ playlistType, ...draft }: Omit<SmartDraft, 'finishList'>): PlanInput => ({
  ...draft,
  type: playlistType,
})

const figuresOf = (finding: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(finding).filter(
      ([name, value]) => typeof value === 'number' && !['rule', 'block', 'item'].includes(name),
    ),
  )

function whyNotMedia(media: DraftMedia | undefined, contentType: MediaType, duration: number): string | null {
  if (!media) return 'media-unknown'
  if (media.isInBin) return 'media-in-bin'
  if (media.contentType !== contentType) return 'media-wrong-kind'
  return Math.abs(media.durationSeconds - duration) > TOLERANCE ? 'media-duration-changed' : null
}

/** The tracks whose media items are unknown, in the bin, of another kind or of another duration. */
export function findMediaFaults(draft: SmartDraft, known: ReadonlyMap<string, DraftMedia>): ImportFault[] {
  return LISTS.flatMap(list =>
    draft[list].flatMap(({ uid, duration }, index): ImportFault[] => {
      const media = known.get(uid)
      const code = whyNotMedia(media, CONTENT_TYPES[draft.playlistType][list], duration)
      if (code === null) return []
      const path = `${list}.${index}`
      const figures = media ? { duration, expected: media.durationSeconds } : { duration }
      return [code === 'media-duration-changed' ? { path, code, uid, figures } : { path, code, uid }]
    }),
  )
}

/** The path of a refusal's fault in the draft. */
function pathOf(refusal: PlanRefusal, draft: SmartDraft): string {
  const at = (list: ListName, uid: string) =>
    `${list}.${draft[list].findLastIndex(track => track.uid === uid)}`
  switch (refusal.code) {
    case 'time-invalid':
      return refusal.field
    case 'times-equal':
      return 'endDay'
    case 'target-invalid':
      return refusal.kind === 'melody' ? 'melTime' : 'adsTime'
    case 'crossfade-invalid':
      return 'crossfade'
    case 'list-empty':
    case 'too-short':
      return listOf(refusal)
    case 'background-far-beyond':
      return 'melList'
    case 'ads-beyond-air-time':
      return 'adsList'
    case 'ad-share-under-one':
      return at('adsList', refusal.uid)
    case 'name-too-short':
      return 'smartPlName'
    default:
      return at(listOf(refusal), refusal.uid)
  }
}

function faultsOfRefusal(refusal: PlanRefusal, draft: SmartDraft): ImportFault[] {
  const { code } = refusal
  const path = pathOf(refusal, draft)
  const uid = 'uid' in refusal ? { uid: refusal.uid } : {}
  const fault: ImportFault = { path, code, ...uid, figures: figuresOf(refusal) }
  if (refusal.code !== 'ads-beyond-air-time') return [fault]
  const unheard = new Set(refusal.unheard)
  const ads = draft.adsList.flatMap((ad, index): ImportFault[] =>
    unheard.has(ad.uid) ? [{ path: `adsList.${index}`, code, uid: ad.uid }] : [],
  )
  return [fault, ...ads]
}

function faultOfRule(broken: BrokenRule): ImportFault {
  const { rule, code } = broken
  const block = 'block' in broken ? `.${broken.block}` : ''
  const item = 'item' in broken ? `.items.${broken.item}` : ''
  const uid = 'uid' in broken ? { uid: broken.uid } : {}
  return { path: `finishList${block}${item}`, code, rule, ...uid, figures: figuresOf(broken) }
}

/** The planner's faults of a draft and its plan; null if there are none. */
export function findPlanFaults(draft: SmartDraft): PlanFaults | null {
  const input = planInputOf(draft)
  const refusals = validate(input).refusals.flatMap(refusal => faultsOfRefusal(refusal, draft))
  const window = windowSeconds(input)
  const { workTime } = draft
  if (Math.abs(workTime - window) > TOLERANCE)
    refusals.unshift({ path: 'workTime', code: 'work-time-differs', figures: { workTime, window } })
  if (refusals.length > 0) return { reason: 'plan-refused', faults: refusals }
  const faults = check({ blocks: draft.finishList }, input).map(faultOfRule)
  return faults.length > 0 ? { reason: 'plan-breaks-rules', faults } : null
}

/** Adds the names of the client's media to the faults, at most 100 of them. */
export function namedFaults(
  { reason, faults }: Pick<DraftFaults, 'reason' | 'faults'>,
  known: ReadonlyMap<string, DraftMedia>,
): DraftFaults {
  const named = faults.slice(0, MAX_FAULTS).map(fault => {
    const name = fault.uid === undefined ? undefined : known.get(fault.uid)?.name
    return name === undefined ? fault : { ...fault, name }
  })
  return { reason, faults: named, names: [...new Set(named.flatMap(({ name }) => name ?? []))] }
}

/** A draft with its plan; with `needsPlan`, one whose plan is made first. */
export interface PlanJob {
  draft: SmartDraft
  needsPlan: boolean
}

export interface ValidatedDraft {
  draft: SmartDraft
  planFaults: PlanFaults | null
}

/** Tracks and plays up to which the planner takes some hundredths of a second: starting a thread would take longer. */
const MAX_INLINE_SIZE = 5000
const HEAP_MEGABYTES = 512

export function validateInline({ draft: given, needsPlan }: PlanJob): ValidatedDraft {
  const draft = needsPlan ? { ...given, finishList: plan(planInputOf(given)).blocks } : given
  return { draft, planFaults: findPlanFaults(draft) }
}

function isSmall({ melList, adsList, finishList, workTime, melTime, adsTime }: SmartDraft): boolean {
  const tracks = [...melList, ...adsList]
  const minSeconds = tracks.reduce((seconds, { duration }) => Math.min(seconds, duration), Infinity)
  const plays = finishList.reduce((sum, { items }) => sum + items.length, 0)
  const blocks = workTime / Math.max(1, melTime + adsTime)
  return tracks.length + Math.max(plays, blocks, workTime / minSeconds) <= MAX_INLINE_SIZE
}

let previousJob: Promise<unknown> = Promise.resolve()

/**
 * Finds the planner's faults of a draft. Worker threads validate long days, one at a time, so that the server answers
 * heartbeats meanwhile. `validate` and `check` take 44 ms for 1,000 melodies and 200 ads, 200 ms for 50,000 and 5,000, and
 * 1.2 s for 3,000 short tracks with broken weights on each side. A thread starts in some tenths of a second, so the server
 * validates a usual day without one.
 */
export function validatePlan(job: PlanJob): Promise<ValidatedDraft> {
  if (isSmall(job.draft)) return Promise.resolve(validateInline(job))
  const validated = previousJob.then(() =>
    runInWorker<ValidatedDraft>({
      program: new URL('./plan-worker.ts', import.meta.url),
      data: job,
      heapMegabytes: HEAP_MEGABYTES,
    }),
  )
  previousJob = validated.catch(() => undefined)
  return validated
}
