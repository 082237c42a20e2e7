import type { MediaType } from '@floorcast/contract/media.ts'
import type { BlockMode, PlanInput, PlanKind } from '@floorcast/planner/plan-types.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'

/** The four steps of docs/specification.md#2-screens-and-routes, in their order. */
export const steps = ['hours', 'ads', 'background', 'check'] as const
export type Step = (typeof steps)[number]

export type SmartType = PlanInput['type']

/** A smart playlist in the making: the fields of docs/specification.md#3-entities-and-their-fields, and the user's place in the wizard. */
export interface WizardDraft {
  playlistType: SmartType
  /** Null while the type is asked for. */
  step: Step | null
  /** The furthest step that was reached, as a place in `steps`. */
  reached: number
  isRoundTheClock: boolean
  /** HH:MM. */
  startDay: string
  endDay: string
  /** Seconds that a background block aims at. */
  melTime: number
  adsTime: number
  melMode: BlockMode
  adsMode: BlockMode
  melList: readonly SmartTrack[]
  adsList: readonly SmartTrack[]
  /** Seconds, over background only; `noCrossfade` while its field is empty. */
  crossfade: number
  seed: number
  /** The playlist that is planned again; null for a new one. */
  smartPlUid: string | null
  /** The version of that playlist's card, or of the one that is edited on the air, when it was read. */
  version: number | null
  smartPlName: string
  smartPlDescr: string
}

/** About six and fifteen minutes (docs/specification.md#9-business-constants-and-limits). */
export const usualSeconds = { melody: 360, ad: 900 } as const satisfies Record<PlanKind, number>
export const wholeDay = { startDay: '00:00', endDay: '23:59' } as const

/** What the fields of weight and crossfade (seconds) take; the import has the same limits. */
export const limits = { weight: { min: 1, max: 10 }, crossfade: { min: 0, max: 10 } } as const

/** An empty field: refused, until it says how long. */
export const noCrossfade = -1

/** A draft of which nothing was chosen yet. */
export const emptyDraft: WizardDraft = {
  playlistType: 'audio-smart',
  step: null,
  reached: 0,
  isRoundTheClock: true,
  ...wholeDay,
  melTime: usualSeconds.melody,
  adsTime: usualSeconds.ad,
  melMode: 'auto',
  adsMode: 'auto',
  melList: [],
  adsList: [],
  crossfade: 0,
  seed: 1,
  smartPlUid: null,
  version: null,
  smartPlName: '',
  smartPlDescr: '',
}

/** What was kept of an edited version; what is on the air may have changed since, which it would undo: then nothing. */
export const keptEdit = (kept: WizardDraft | null, initial: WizardDraft) =>
  kept?.version === initial.version ? kept : null

/** A change of the draft, made of what it is at that moment. */
export type DraftChange = (draft: WizardDraft) => WizardDraft

const listKeys = { melody: 'melList', ad: 'adsList' } as const
const timeKeys = { melody: 'melTime', ad: 'adsTime' } as const
const modeKeys = { melody: 'melMode', ad: 'adsMode' } as const

export const listOf = (draft: WizardDraft, kind: PlanKind) => draft[listKeys[kind]]
export const timeOf = (draft: WizardDraft, kind: PlanKind) => draft[timeKeys[kind]]
export const modeOf = (draft: WizardDraft, kind: PlanKind) => draft[modeKeys[kind]]
export const secondsOf = (tracks: readonly SmartTrack[]) =>
  tracks.reduce((sum, { duration }) => sum + duration, 0)

/** The library that a kind's tracks come from. */
export function mediaTypeOf(type: SmartType, kind: PlanKind): MediaType {
  if (type === 'audio-smart') return kind === 'ad' ? 'ads' : 'melodies'
  return kind === 'ad' ? 'videosAds' : 'videos'
}

/** Whether starting over or another type would throw something away. */
export const holdsTracks = ({ melList, adsList }: WizardDraft) => melList.length + adsList.length > 0

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

/** The window as it counts: round the clock, whatever hours were set before. */
export const windowOf = ({ isRoundTheClock, startDay, endDay }: WizardDraft) =>
  isRoundTheClock ? wholeDay : { startDay, endDay }

/** An automatic size goes back to the usual target. */
export const withMode =
  (kind: PlanKind, mode: BlockMode): DraftChange =>
  draft => ({
    ...draft,
    [modeKeys[kind]]: mode,
    ...(mode === 'auto' ? { [timeKeys[kind]]: usualSeconds[kind] } : {}),
  })

/** A size of one's own is a manual one. */
export const withTime =
  (kind: PlanKind, seconds: number): DraftChange =>
  draft => ({ ...draft, [modeKeys[kind]]: 'manual', [timeKeys[kind]]: seconds })

/** Puts tracks at the end of a list; those that it holds already stay as they are. */
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

/** Brings a list up to date with its library: what has left goes, names and durations are the library's. */
export const withLibrary =
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

/** Opens a step; whether it may be opened is `nextStop`'s to say. */
export const withStep =
  (step: Step): DraftChange =>
  draft => ({ ...draft, step, reached: Math.max(draft.reached, steps.indexOf(step)) })

/**
 * Where a way through the steps ends. Back is free; forward goes step by step, and ends at the first step whose own
 * check refuses it.
 */
export function nextStop(from: Step, to: Step, isRefused: (step: Step) => boolean): Step {
  if (steps.indexOf(to) <= steps.indexOf(from)) return to
  const way = steps.slice(steps.indexOf(from), steps.indexOf(to))
  return way.find(isRefused) ?? to
}

/** Whether a name is that of a step. */
export const isStep = (name: string): name is Step => steps.some(step => step === name)
