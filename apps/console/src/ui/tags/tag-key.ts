import { KNOWN_TAG_KEYS } from '@floorcast/contract/tags.ts'
import type { Translate } from '../../platform/i18n.ts'

/** The name of a tag's key in the chosen language; a key that Floorcast does not interpret is its own name. */
export function nameTagKey(t: Translate, key: string): string {
  const known = KNOWN_TAG_KEYS.find(name => name === key)
  return known ? t(`tagKeys:keys.${known}`) : key
}
