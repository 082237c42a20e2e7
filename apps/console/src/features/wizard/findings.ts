import type { PlanFindings, PlanRefusal, PlanStep, PlanWarning } from '@floorcast/planner/validate.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'

/** A refusal or warning as text. */
export interface Finding {
  step: PlanStep
  code: string
  isRefusal: boolean
  text: string
}

interface TextContext {
  t: Translate
  format: Format
  nameOf: (uid: string) => string
}

/** More names are only counted. */
const maxNames = 5

/** Names in a list: '“A”, “B” and 12 more'. */
function describeNames({ t, format, nameOf }: TextContext, uids: readonly string[]): string {
  const shown = uids.slice(0, maxNames).map(uid => t('common:quoted', { name: nameOf(uid) }))
  const more = uids.length - shown.length
  return format.list(more > 0 ? [...shown, t('wizard:more', { count: more })] : shown)
}

type OfTrack = Extract<PlanRefusal, { uid: string }>

const isOfTrack = (refusal: PlanRefusal): refusal is OfTrack => 'uid' in refusal

/** One text for the same refusal of several tracks, with their names. */
function describeTrackRefusals(context: TextContext, refusals: readonly OfTrack[]): string {
  const [first] = refusals
  if (!first) return ''
  const { t, format } = context
  const uids = [...new Set(refusals.map(({ uid }) => uid))]
  const names = describeNames(context, uids)
  const count = uids.length
  switch (first.code) {
    case 'duration-invalid':
      return t('wizard:refusals.duration-invalid', { names, count })
    case 'weight-invalid':
      return t('wizard:refusals.weight-invalid', { names, count })
    case 'track-twice':
      return t('wizard:refusals.track-twice', { names, count })
    case 'longer-than-window':
      return t('wizard:refusals.longer-than-window', { names, count, window: format.span(first.window) })
    case 'ad-share-under-one':
      return t('wizard:refusals.ad-share-under-one', { names, count })
  }
}

function describeRefusal(context: TextContext, refusal: Exclude<PlanRefusal, OfTrack>): string {
  const { t, format } = context
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
        content: format.span(refusal.content),
        air: format.span(refusal.air),
      })
    case 'ads-beyond-air-time': {
      if (refusal.air === 0) return t('wizard:refusals.no-air-for-ads')
      const shown = { content: format.span(refusal.content), air: format.span(refusal.air) }
      const { unheard } = refusal
      if (unheard.length === 0) return t('wizard:refusals.ads-beyond-air-time', shown)
      return t('wizard:refusals.ads-unheard', {
        ...shown,
        names: describeNames(context, unheard),
        count: unheard.length,
      })
    }
    case 'ad-gap-invalid':
      return t('wizard:refusals.ad-gap-invalid')
    case 'ad-gap-too-long': {
      const shown = { wanted: format.span(refusal.minAdGap), largest: format.span(refusal.largest) }
      return refusal.largest > 0
        ? t('wizard:refusals.ad-gap-too-long', shown)
        : t('wizard:refusals.ad-gap-none')
    }
    case 'name-too-short':
      return t('wizard:smartError4')
  }
}

function describeWarning(context: TextContext, warning: PlanWarning): string {
  const { t, format } = context
  if (warning.code === 'ads-back-to-back') {
    const { uids } = warning
    return t('wizard:warnings.ads-back-to-back', { names: describeNames(context, uids), count: uids.length })
  }
  const content = format.span(warning.content)
  if (warning.code === 'background-not-all-heard')
    return t('wizard:warnings.background-not-all-heard', {
      count: warning.unheard,
      content,
      air: format.span(warning.air),
    })
  const shown = { content, target: format.span(warning.target) }
  return warning.mode === 'manual'
    ? t(`wizard:warnings.block-repeats.${warning.kind}`, shown)
    : t(`wizard:warnings.less-than-one-block.${warning.kind}`, shown)
}

/** A text for each refusal and warning that says what to do; the same refusal of several tracks is one text. */
export function describeFindings(context: TextContext, { refusals, warnings }: PlanFindings): Finding[] {
  const shown = new Set<string>()
  const found: Finding[] = []
  for (const refusal of refusals) {
    const { step, code } = refusal
    if (!isOfTrack(refusal))
      found.push({ step, code, isRefusal: true, text: describeRefusal(context, refusal) })
    else if (!shown.has(`${step} ${code}`)) {
      shown.add(`${step} ${code}`)
      const alike = refusals.filter(isOfTrack).filter(other => other.step === step && other.code === code)
      found.push({ step, code, isRefusal: true, text: describeTrackRefusals(context, alike) })
    }
  }
  for (const warning of warnings) {
    const { step, code } = warning
    found.push({ step, code, isRefusal: false, text: describeWarning(context, warning) })
  }
  return found
}
