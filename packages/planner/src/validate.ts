import { TOLERANCE } from './broken-rule.ts'
import { airTimes, KINDS, readKindList, weightOf, wholeSeconds, type KindList } from './track-list.ts'
import type { AdGapRefusal, BlockMode, PlanInput, PlanKind, PlanSummary, PlanTrack } from './plan-types.ts'
import { secondsOfDay, windowSeconds } from './plan-window.ts'
import { plan, planFreely } from './plan.ts'

/** The wizard's step of a finding. */
export type PlanStep = 'hours' | 'ads' | 'background' | 'finish'

/** The input of `validate`: the input of the plan and, once there is one, the playlist's name. */
export interface PlanDraft extends PlanInput {
  /** Checked only if it is given. */
  name?: string | undefined
}

interface OfTrack {
  kind: PlanKind
  uid: string
}

/** Why a plan is impossible, with figures (seconds and plays). */
export type PlanRefusal = AdGapRefusal | InputRefusal

type InputRefusal = { step: PlanStep } & (
  | { code: 'time-invalid'; field: 'startDay' | 'endDay'; value: string }
  | { code: 'times-equal'; value: string }
  | { code: 'target-invalid'; kind: PlanKind; target: number }
  | { code: 'crossfade-invalid'; crossfade: number }
  | { code: 'list-empty'; kind: PlanKind }
  | ({ code: 'duration-invalid'; duration: number } & OfTrack)
  | ({ code: 'weight-invalid'; weight: number } & OfTrack)
  | ({ code: 'track-twice' } & OfTrack)
  | ({ code: 'longer-than-window'; duration: number; window: number } & OfTrack)
  | { code: 'too-short'; kind: PlanKind; content: number }
  | { code: 'background-far-beyond'; content: number; air: number }
  | { code: 'ads-beyond-air-time'; content: number; air: number; unheard: string[] }
  | { code: 'ad-share-under-one'; uid: string; plays: number }
  | { code: 'name-too-short'; length: number }
)

/** A warning for the user. */
export type PlanWarning = { step: PlanStep } & (
  | { code: 'less-than-one-block'; kind: PlanKind; mode: BlockMode; content: number; target: number }
  /** Ads that are heard directly after themselves. */
  | { code: 'ads-back-to-back'; uids: string[] }
  | { code: 'background-not-all-heard'; unheard: number; content: number; air: number }
)

/** In the order of the wizard's steps. */
export interface PlanFindings {
  refusals: PlanRefusal[]
  warnings: PlanWarning[]
}

/** The minimum content of a kind in seconds. */
const MIN_CONTENT_SECONDS = 1

/** The step where the kind is chosen. */
export const stepOf = (kind: PlanKind): PlanStep => (kind === 'melody' ? 'background' : 'ads')

const isPositive = (value: number) => value > 0 && Number.isFinite(value)

function validateTrack(track: PlanTrack, kind: PlanKind, window: number): PlanRefusal[] {
  const { uid, duration, weight } = track
  const at = { step: stepOf(kind), kind, uid }
  const refusals: PlanRefusal[] = []
  if (!isPositive(duration)) refusals.push({ code: 'duration-invalid', duration, ...at })
  else if (window > 0 && duration > window)
    refusals.push({ code: 'longer-than-window', duration, window, ...at })
  if (weight !== undefined && !isPositive(weight)) refusals.push({ code: 'weight-invalid', weight, ...at })
  return refusals
}

/** Validates the tracks of one kind without a plan. A window of 0 is not known yet. */
function validateTracks(input: PlanInput, kind: PlanKind, window: number): PlanFindings {
  const list = kind === 'melody' ? input.melList : input.adsList
  const step = stepOf(kind)
  if (list.length === 0) return { refusals: [{ step, code: 'list-empty', kind }], warnings: [] }
  const refusals: PlanRefusal[] = []
  const seen = new Set<string>()
  for (const track of list) {
    refusals.push(...validateTrack(track, kind, window))
    if (seen.has(track.uid)) refusals.push({ step, code: 'track-twice', kind, uid: track.uid })
    seen.add(track.uid)
  }
  if (refusals.length > 0) return { refusals, warnings: [] }
  const known = readKindList(input, kind)
  const content = wholeSeconds(known)
  if (content < MIN_CONTENT_SECONDS)
    return { refusals: [{ step, code: 'too-short', kind, content }], warnings: [] }
  const { target, mode } = known
  if (content >= target) return { refusals, warnings: [] }
  return { refusals, warnings: [{ step, code: 'less-than-one-block', kind, mode, content, target }] }
}

/** Background that is longer than this multiple of its air time is a mistake. */
const FAR_BEYOND = 10

interface Air {
  list: KindList
  content: number
  air: number
  /** The expected plays of an ad with the least weight. */
  minPlays: number
}

function airOf(list: KindList, air: number): Air {
  const weights = list.tracks.map(weightOf)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const perPlay = list.tracks.reduce((sum, track) => sum + (track.duration * weightOf(track)) / total, 0)
  const least = weights.reduce((smallest, weight) => Math.min(smallest, weight), Infinity)
  return { list, content: wholeSeconds(list), air, minPlays: ((air / perPlay) * least) / total }
}

function validateAds({ list, content, air, minPlays }: Air, unheard: string[]): PlanRefusal[] {
  // The first background block takes the whole window, so it has to be shortened.
  const step = air > 0 ? 'ads' : 'background'
  if (!list.isEven && air > 0 && minPlays < 1) {
    const least = list.tracks.reduce((smallest, track) => Math.min(smallest, weightOf(track)), Infinity)
    const refusals = list.tracks.map((track): PlanRefusal => {
      const plays = (minPlays * weightOf(track)) / least
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

/** Validates that the content fits into the window, by the air time of each kind and by a plan. Both lists need tracks, and the window must not be empty. */
function validateAir(input: PlanInput): PlanFindings {
  const times = airTimes(input)
  const melodies = airOf(readKindList(input, KINDS[0]), times.melody)
  const ads = airOf(readKindList(input, KINDS[1]), times.ad)
  const planned = plan(input)
  const isRefused = 'refusal' in planned
  const { summary } = isRefused ? planFreely(input) : planned
  const unheard = summary.tracks.filter(track => track.plays === 0)
  const unheardAds = unheard.filter(({ kind }) => kind === 'ad').map(({ uid }) => uid)
  const background = validateBackground(melodies, unheard.length - unheardAds.length)
  const separation = isRefused ? [planned.refusal] : []
  return {
    refusals: [...separation, ...validateAds(ads, unheardAds), ...background.refusals],
    warnings: [...(isRefused ? [] : warnOfRepeats(summary)), ...background.warnings],
  }
}

/** Warns of ads that are heard directly after themselves: only a single ad, or one whose weight exceeds half of the sum. */
function warnOfRepeats({ tracks }: PlanSummary): PlanWarning[] {
  const repeated = tracks.filter(
    ({ kind, shortestGapSeconds: gap }) => kind === 'ad' && gap !== null && gap <= TOLERANCE,
  )
  return repeated.length > 0
    ? [{ step: 'ads', code: 'ads-back-to-back', uids: repeated.map(({ uid }) => uid) }]
    : []
}

/** A name of this length is too short. */
const SHORT_NAME = 2

function validateHours({ startDay, endDay }: PlanDraft): PlanRefusal[] {
  const step = 'hours'
  const refusals: PlanRefusal[] = []
  if (secondsOfDay(startDay) === null)
    refusals.push({ step, code: 'time-invalid', field: 'startDay', value: startDay })
  if (secondsOfDay(endDay) === null)
    refusals.push({ step, code: 'time-invalid', field: 'endDay', value: endDay })
  if (refusals.length === 0 && startDay === endDay)
    refusals.push({ step, code: 'times-equal', value: startDay })
  return refusals
}

function validateSizes({ melTime, adsTime, crossfade = 0, minAdGap = 0 }: PlanDraft): PlanRefusal[] {
  const refusals: PlanRefusal[] = []
  const targets = [
    ['ad', adsTime],
    ['melody', melTime],
  ] as const
  for (const [kind, target] of targets)
    if (!(target > 0 && Number.isFinite(target)))
      refusals.push({ step: stepOf(kind), code: 'target-invalid', kind, target })
  if (!(crossfade >= 0 && Number.isFinite(crossfade)))
    refusals.push({ step: 'background', code: 'crossfade-invalid', crossfade })
  if (!(minAdGap >= 0 && Number.isFinite(minAdGap)))
    refusals.push({ step: 'ads', code: 'ad-gap-invalid', minAdGap })
  return refusals
}

function validateName({ name }: PlanDraft): PlanRefusal[] {
  if (name === undefined) return []
  const { length } = Array.from(name.normalize('NFC').trim())
  return length > SHORT_NAME ? [] : [{ step: 'finish', code: 'name-too-short', length }]
}

/**
 * Validates the input of a plan. @returns refusals and warnings; without refusals every ad is heard. The finding about the
 * name is the last one.
 */
export function validate(draft: PlanDraft): PlanFindings {
  const window = windowSeconds(draft)
  const [background, ads] = KINDS.map(kind => validateTracks(draft, kind, window))
  const refusals = [
    ...validateHours(draft),
    ...validateSizes(draft),
    ...(ads?.refusals ?? []),
    ...(background?.refusals ?? []),
  ]
  const warnings = [...(ads?.warnings ?? []), ...(background?.warnings ?? [])]
  if (refusals.length > 0) return { refusals: [...refusals, ...validateName(draft)], warnings }
  const times = airTimes(draft)
  // More tracks would not be heard if the window is full.
  const isOfUse = (warning: PlanWarning) =>
    warning.code !== 'less-than-one-block' || warning.content < times[warning.kind]
  const air = validateAir(draft)
  return {
    refusals: [...air.refusals, ...validateName(draft)],
    warnings: [...warnings.filter(isOfUse), ...air.warnings],
  }
}
