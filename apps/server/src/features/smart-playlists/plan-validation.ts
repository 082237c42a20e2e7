import type { BlockKind } from '@floorcast/contract/fields.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import type { ImportFault, Reason } from '@floorcast/contract/outcomes.ts'
import type { SmartDraft, SmartPlaylistType } from '@floorcast/contract/smart-playlists.ts'
import type { BrokenRule } from '@floorcast/planner/broken-rule.ts'
import { check } from '@floorcast/planner/check.ts'
import type { PlanInput } from '@floorcast/planner/plan-types.ts'
import { windowSeconds } from '@floorcast/planner/plan-window.ts'
import { validate, type PlanRefusal } from '@floorcast/planner/validate.ts'

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

export type ListName = 'melList' | 'adsList'
export const LISTS: readonly ListName[] = ['melList', 'adsList']
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

/** The tracks whose media items are unknown, in the bin, of another kind or of another duration; at most 100. */
export function findMediaFaults(
  draft: Pick<SmartDraft, ListName | 'playlistType'>,
  known: ReadonlyMap<string, DraftMedia>,
): ImportFault[] {
  const faults: ImportFault[] = []
  for (const list of LISTS)
    for (const [index, { uid, duration }] of draft[list].entries()) {
      const media = known.get(uid)
      const code = whyNotMedia(media, CONTENT_TYPES[draft.playlistType][list], duration)
      if (code === null) continue
      const path = `${list}.${index}`
      const figures = media ? { duration, expected: media.durationSeconds } : { duration }
      faults.push(code === 'media-duration-changed' ? { path, code, uid, figures } : { path, code, uid })
      if (faults.length === MAX_FAULTS) return faults
    }
  return faults
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
    case 'ad-gap-invalid':
    case 'ad-gap-too-long':
      return 'minAdGap'
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

/** The planner's faults of a draft and its plan, at most 100; null if there are none. */
export function findPlanFaults(draft: SmartDraft): PlanFaults | null {
  const found = findAllPlanFaults(draft)
  return found && { ...found, faults: found.faults.slice(0, MAX_FAULTS) }
}

/** Why a draft cannot be planned. */
export function findRefusals(draft: SmartDraft): ImportFault[] {
  const input = planInputOf(draft)
  const refusals = validate(input).refusals.flatMap(refusal => faultsOfRefusal(refusal, draft))
  const window = windowSeconds(input)
  const { workTime } = draft
  if (Math.abs(workTime - window) <= TOLERANCE) return refusals
  return [{ path: 'workTime', code: 'work-time-differs', figures: { workTime, window } }, ...refusals]
}

function findAllPlanFaults(draft: SmartDraft): PlanFaults | null {
  const refusals = findRefusals(draft)
  if (refusals.length > 0) return { reason: 'plan-refused', faults: refusals }
  const faults = check({ blocks: draft.finishList }, planInputOf(draft)).map(faultOfRule)
  return faults.length > 0 ? { reason: 'plan-breaks-rules', faults } : null
}

/** Adds the names of the client's media to the faults. */
export function namedFaults(
  { reason, faults }: Pick<DraftFaults, 'reason' | 'faults'>,
  known: ReadonlyMap<string, DraftMedia>,
): DraftFaults {
  const named = faults.map(fault => {
    const name = fault.uid === undefined ? undefined : known.get(fault.uid)?.name
    return name === undefined ? fault : { ...fault, name }
  })
  return { reason, faults: named, names: [...new Set(named.flatMap(({ name }) => name ?? []))] }
}
