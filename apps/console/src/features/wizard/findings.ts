import type { PlanFindings, PlanRefusal, PlanStep, PlanWarning } from '@floorcast/planner/validate.ts'
import type { Format } from '../../platform/format.ts'
import type { Words } from '../../platform/i18n.ts'

/** What was found, in words. */
export interface Finding {
  step: PlanStep
  code: string
  isRefusal: boolean
  text: string
}

interface Speech {
  t: Words
  format: Format
  nameOf: (uid: string) => string
}

/** So many names are said; the others are counted. */
const namesSaid = 5

/** Names in a list: 'A, B and 12 more'. */
function sayNames({ t, format, nameOf }: Speech, uids: readonly string[]): string {
  const said = uids.slice(0, namesSaid).map(nameOf)
  const more = uids.length - said.length
  return format.list(more > 0 ? [...said, t('wizard:more', { count: more })] : said)
}

type OfTrack = Extract<PlanRefusal, { uid: string }>

const isOfTrack = (refusal: PlanRefusal): refusal is OfTrack => 'uid' in refusal

/** A refusal that may be found of many tracks at once; said once, with their names. */
function sayTracks(speech: Speech, refusals: readonly OfTrack[]): string {
  const [first] = refusals
  if (!first) return ''
  const { t, format } = speech
  const uids = [...new Set(refusals.map(({ uid }) => uid))]
  const names = sayNames(speech, uids)
  const count = uids.length
  switch (first.code) {
    case 'duration-invalid':
      return t('wizard:refusals.duration-invalid', { names, count })
    case 'weight-invalid':
      return t('wizard:refusals.weight-invalid', { names, count })
    case 'track-twice':
      return t('wizard:refusals.track-twice', { names, count })
    case 'longer-than-window':
      return t('wizard:refusals.longer-than-window', { names, count, window: format.duration(first.window) })
    case 'ad-share-under-one':
      return t('wizard:refusals.ad-share-under-one', { names, count })
  }
}

function sayRefusal(speech: Speech, refusal: Exclude<PlanRefusal, OfTrack>): string {
  const { t, format } = speech
  switch (refusal.code) {
    case 'time-invalid':
      return t(`wizard:refusals.time-invalid.${refusal.field}`)
    case 'times-equal':
      return t('wizard:refusals.times-equal')
    case 'target-invalid':
      return t(`wizard:refusals.target-invalid.${refusal.kind}`)
    case 'crossfade-invalid':
      return t('wizard:refusals.crossfade-invalid')
    case 'list-empty':
      return t(`wizard:refusals.list-empty.${refusal.kind}`)
    case 'too-short':
      return t(`wizard:refusals.too-short.${refusal.kind}`)
    case 'background-far-beyond':
      return t('wizard:refusals.background-far-beyond', {
        content: format.duration(refusal.content),
        air: format.duration(refusal.air),
      })
    case 'ads-beyond-air-time': {
      if (refusal.air === 0) return t('wizard:refusals.no-air-for-ads')
      const said = { content: format.duration(refusal.content), air: format.duration(refusal.air) }
      const { unheard } = refusal
      if (unheard.length === 0) return t('wizard:refusals.ads-beyond-air-time', said)
      return t('wizard:refusals.ads-unheard', {
        ...said,
        names: sayNames(speech, unheard),
        count: unheard.length,
      })
    }
    case 'name-too-short':
      return t('wizard:smartError4')
  }
}

function sayWarning({ t, format }: Speech, warning: PlanWarning): string {
  const content = format.duration(warning.content)
  if (warning.code === 'background-not-all-heard')
    return t('wizard:warnings.background-not-all-heard', {
      count: warning.unheard,
      content,
      air: format.duration(warning.air),
    })
  const said = { content, target: format.duration(warning.target) }
  return warning.mode === 'manual'
    ? t(`wizard:warnings.block-repeats.${warning.kind}`, said)
    : t(`wizard:warnings.less-than-one-block.${warning.kind}`, said)
}

/** Every refusal and warning in words that say what to do; what is found of many tracks is said once. */
export function describeFindings(speech: Speech, { refusals, warnings }: PlanFindings): Finding[] {
  const said = new Set<string>()
  const found: Finding[] = []
  for (const refusal of refusals) {
    const { step, code } = refusal
    if (!isOfTrack(refusal)) found.push({ step, code, isRefusal: true, text: sayRefusal(speech, refusal) })
    else if (!said.has(`${step} ${code}`)) {
      said.add(`${step} ${code}`)
      const alike = refusals.filter(isOfTrack).filter(other => other.step === step && other.code === code)
      found.push({ step, code, isRefusal: true, text: sayTracks(speech, alike) })
    }
  }
  for (const warning of warnings) {
    const { step, code } = warning
    found.push({ step, code, isRefusal: false, text: sayWarning(speech, warning) })
  }
  return found
}
