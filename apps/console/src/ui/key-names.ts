import type { Translate } from '../platform/i18n.ts'

/** Keys with a name, which differs by the language of the keyboard. */
const named = [
  'ctrl',
  'alt',
  'shift',
  'enter',
  'space',
  'esc',
  'delete',
  'home',
  'end',
  'pageUp',
  'pageDown',
] as const

/** A key's name in the page's language: 'Strg' for `ctrl` in German. Other keys name themselves. */
export function nameKey(t: Translate, key: string): string {
  const name = named.find(each => each === key)
  return name ? t(`shell:keys.${name}`) : key
}
