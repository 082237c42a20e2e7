import { airTimes } from './air-time.ts'
import { KINDS } from './list.ts'
import { secondsOfDay, windowSeconds } from './plan-window.ts'
import { validateAir } from './validate-air.ts'
import { stepOf, validateTracks } from './validate-tracks.ts'
import type { PlanDraft, PlanFindings, PlanRefusal, PlanWarning } from './validate-types.ts'

/** A name of so many characters is too short. */
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

function validateSizes({ melTime, adsTime, crossfade = 0 }: PlanDraft): PlanRefusal[] {
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
  return refusals
}

function validateName({ name }: PlanDraft): PlanRefusal[] {
  if (name === undefined) return []
  const { length } = Array.from(name.normalize('NFC').trim())
  return length > SHORT_NAME ? [] : [{ step: 'finish', code: 'name-too-short', length }]
}

/**
 * What stands in the way of a plan, and what its maker should know. With no refusal, every ad is heard. The name comes
 * last.
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
  // More would not be heard where the window is full already.
  const isOfUse = (warning: PlanWarning) =>
    warning.code !== 'less-than-one-block' || warning.content < times[warning.kind]
  const air = validateAir(draft)
  return {
    refusals: [...air.refusals, ...validateName(draft)],
    warnings: [...warnings.filter(isOfUse), ...air.warnings],
  }
}
