import type { MediaType } from '@floorcast/contract/media.ts'
import type { BlockMode, PlanInput, PlanKind } from '@floorcast/planner/plan-types.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'

/** The four steps of docs/specification.md#2-screens-and-routes, in their order. */
export const steps = ['hours', 'ads', 'background', 'check'] as const
export type Step = (typeof steps)[number]

export type SmartType = PlanInput['type']

/** A smart playlist that is not yet saved: the fields of docs/specification.md#3-entities-and-their-fields, and the user's step. */
export interface WizardDraft {
  playlistType: SmartType
  /** Null before the type is chosen. */
  step: Step | null
  /** Index in `steps` of the furthest step that the user has reached. */
  reached: number
  isRoundTheClock: boolean
  /** HH:MM. */
  startDay: string
  endDay: string
  /** Target length of a background block, in seconds. */
  melTime: number
  adsTime: number
  melMode: BlockMode
  adsMode: BlockMode
  melList: readonly SmartTrack[]
  adsList: readonly SmartTrack[]
  /** Seconds, over background only; `emptySeconds` while its field is empty. */
  crossfade: number
  /** Minimum ad separation in seconds; `emptySeconds` while its field is empty. */
  minAdGap: number
  seed: number
  /** The playlist that is planned again; null for a new one. */
  smartPlUid: string | null
  /** The version of the playlist that is planned again, or edited on the air, when it was loaded. */
  version: number | null
  smartPlName: string
  smartPlDescr: string
}

/** About six and fifteen minutes (docs/specification.md#9-business-constants-and-limits). */
export const defaultSeconds = { melody: 360, ad: 900 } as const satisfies Record<PlanKind, number>
export const wholeDay = { startDay: '00:00', endDay: '23:59' } as const

/** Limits of the fields weight, crossfade and minimum ad separation (seconds), as in the import. */
export const limits = {
  weight: { min: 1, max: 10 },
  crossfade: { min: 0, max: 10 },
  minAdGap: { min: 0, max: 86_400 },
} as const

/** An empty field; it is refused. */
export const emptySeconds = -1

export const emptyDraft: WizardDraft = {
  playlistType: 'audio-smart',
  step: null,
  reached: 0,
  isRoundTheClock: true,
  ...wholeDay,
  melTime: defaultSeconds.melody,
  adsTime: defaultSeconds.ad,
  melMode: 'auto',
  adsMode: 'auto',
  melList: [],
  adsList: [],
  crossfade: 0,
  minAdGap: 0,
  seed: 1,
  smartPlUid: null,
  version: null,
  smartPlName: '',
  smartPlDescr: '',
}

/** The saved edit of a playlist on the air; null when that has changed since, because the edit would undo the change. */
export const usableEdit = (saved: WizardDraft | null, initial: WizardDraft) =>
  saved?.version === initial.version ? saved : null

/** Makes the next draft from the present one. */
export type DraftChange = (draft: WizardDraft) => WizardDraft

const listKeys = { melody: 'melList', ad: 'adsList' } as const
const timeKeys = { melody: 'melTime', ad: 'adsTime' } as const
const modeKeys = { melody: 'melMode', ad: 'adsMode' } as const

export const listOf = (draft: WizardDraft, kind: PlanKind) => draft[listKeys[kind]]
export const timeOf = (draft: WizardDraft, kind: PlanKind) => draft[timeKeys[kind]]
export const modeOf = (draft: WizardDraft, kind: PlanKind) => draft[modeKeys[kind]]
export const secondsOf = (tracks: readonly SmartTrack[]) =>
  tracks.reduce((sum, { duration }) => sum + duration, 0)

export function mediaTypeOf(type: SmartType, kind: PlanKind): MediaType {
  if (type === 'audio-smart') return kind === 'ad' ? 'ads' : 'melodies'
  return kind === 'ad' ? 'videosAds' : 'videos'
}

export const holdsTracks = ({ melList, adsList }: WizardDraft) => melList.length + adsList.length > 0

/** True if the user would lose something: more than the step and the type differ from another draft. */
export const differsFrom = (draft: WizardDraft, other: WizardDraft): boolean =>
  Object.entries(draft).some(
    ([name, value]) =>
      name !== 'step' &&
      name !== 'reached' &&
      name !== 'playlistType' &&
      JSON.stringify(value) !== JSON.stringify(other[name as keyof WizardDraft]),
  )

/** Another type clears the ad and background blocks (docs/specification.md#2-screens-and-routes). */
export const withType =
  (playlistType: SmartType): DraftChange =>
  draft => {
    const isOther = playlistType !== draft.playlistType
    const cleared = isOther ? { melList: [], adsList: [], reached: Math.min(draft.reached, 1) } : {}
    const step = draft.step === null || isOther ? 'hours' : draft.step
    return { ...draft, ...cleared, playlistType, step }
  }

export const withHours =
  (hours: Partial<Pick<WizardDraft, 'isRoundTheClock' | 'startDay' | 'endDay'>>): DraftChange =>
  draft => ({ ...draft, ...hours })

/** The window to plan; hours that were set before do not count round the clock. */
export const windowOf = ({ isRoundTheClock, startDay, endDay }: WizardDraft) =>
  isRoundTheClock ? wholeDay : { startDay, endDay }

/** Automatic resets the target length to the default. */
export const withMode =
  (kind: PlanKind, mode: BlockMode): DraftChange =>
  draft => ({
    ...draft,
    [modeKeys[kind]]: mode,
    ...(mode === 'auto' ? { [timeKeys[kind]]: defaultSeconds[kind] } : {}),
  })

/** Also switches the size to manual. */
export const withTime =
  (kind: PlanKind, seconds: number): DraftChange =>
  draft => ({ ...draft, [modeKeys[kind]]: 'manual', [timeKeys[kind]]: seconds })

/** Appends tracks to a list; tracks already in it are not changed. */
export const withTracks =
  (kind: PlanKind, tracks: readonly SmartTrack[]): DraftChange =>
  draft => {
    const known = new Set(listOf(draft, kind).map(({ uid }) => uid))
    const added = tracks.filter(({ uid }) => !known.has(uid))
    return { ...draft, [listKeys[kind]]: [...listOf(draft, kind), ...added] }
  }

export const withList =
  (kind: PlanKind, tracks: readonly SmartTrack[]): DraftChange =>
  draft => ({ ...draft, [listKeys[kind]]: tracks })

/** Removes tracks that are no longer in the library, and takes names and durations from it. */
export const withCurrentMedia =
  (kind: PlanKind, library: readonly SmartTrack[]): DraftChange =>
  draft => {
    const known = new Map(library.map(track => [track.uid, track]))
    const tracks = listOf(draft, kind).flatMap(({ uid, weight }) => {
      const track = known.get(uid)
      return track ? [{ ...track, weight }] : []
    })
    return withList(kind, tracks)(draft)
  }

export const withoutTrack =
  (kind: PlanKind, uid: string): DraftChange =>
  draft =>
    withList(
      kind,
      listOf(draft, kind).filter(track => track.uid !== uid),
    )(draft)

export const withWeight =
  (kind: PlanKind, uid: string, weight: number): DraftChange =>
  draft =>
    withList(
      kind,
      listOf(draft, kind).map(track => (track.uid === uid ? { ...track, weight } : track)),
    )(draft)

/** Opens a step without a check; see `lastPassableStep`. */
export const withStep =
  (step: Step): DraftChange =>
  draft => ({ ...draft, step, reached: Math.max(draft.reached, steps.indexOf(step)) })

/**
 * The step where a move ends. Back, it is the target; forward, the first refused step on the way, or the target.
 */
export function lastPassableStep(from: Step, to: Step, isRefused: (step: Step) => boolean): Step {
  if (steps.indexOf(to) <= steps.indexOf(from)) return to
  const passed = steps.slice(steps.indexOf(from), steps.indexOf(to))
  return passed.find(isRefused) ?? to
}

export const isStep = (name: string): name is Step => steps.some(step => step === name)
