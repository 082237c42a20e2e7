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

/** What is printed on a key where the page's language is written: 'Strg' for `ctrl` in German. Other keys name themselves. */
export function nameKey(t: Translate, key: string): string {
  const name = named.find(each => each === key)
  return name ? t(`shell:keys.${name}`) : key
}
