import type { AlertKind, alertMediaSettings } from '@floorcast/contract/alert-kind.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { joinSentences } from '../../platform/sentences.ts'
import { isNamedSetting, type NamedSetting, type Setting } from './setting-schema.ts'

/** The name of a setting; one that this console does not know is its own name. */
export const nameSetting = (t: Translate, name: string): string =>
  isNamedSetting(name) ? t(`profiles:settings.${name}`) : name

type Hinted = Exclude<NamedSetting, (typeof alertMediaSettings)[AlertKind]>
/** The names of the sounds say enough. */
const hasHint = (name: string): name is Hinted => isNamedSetting(name) && !name.endsWith('Media')

/** Describes a setting and the values that it takes; null for one that needs no words. */
export function describeSetting(t: Translate, { name, input }: Setting): string | null {
  const hint = hasHint(name) ? t(`profiles:hints.${name}`) : null
  if (input.kind !== 'number' || input.min === null || input.max === null) return hint
  const range = t('profiles:range', { min: input.min, max: input.max })
  return joinSentences(hint, range)
}

/** A value of a setting as text. A sound is named elsewhere. */
export function describeValue(
  t: Translate,
  format: Format,
  { name, value }: { name: string; value: unknown },
): string {
  if (value === undefined) return t('profiles:notSet')
  if (value === null) return t('profiles:unchanged')
  if (typeof value === 'boolean') return t(value ? 'profiles:on' : 'profiles:off')
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return JSON.stringify(value)
  if (name === 'rotation') return t('profiles:degrees', { degrees: format.number(value) })
  const text = format.number(value, 1)
  return name in units ? t(`profiles:units.${name as keyof typeof units}`, { value: text }) : text
}

/** Settings with a unit. */
const units = {
  loudnessTargetLufs: true,
  heartbeatSeconds: true,
  downloadKilobitsPerSecond: true,
} as const
