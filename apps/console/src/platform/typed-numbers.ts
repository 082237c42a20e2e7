import { toAsciiDigits } from '@floorcast/contract/digits.ts'

/** Signs beside digits: decimal points, commas, colons and minus signs of Arabic and Chinese keyboards. */
const signs: Readonly<Record<string, string>> = {
  '٫': '.',
  '．': '.',
  '。': '.',
  '，': ',',
  '：': ':',
  '－': '-',
  '−': '-',
  '٬': '',
}

/** A number or a time as it is typed on any keyboard, with 0 to 9 and the signs that fields read. */
export const readTypedNumber = (text: string): string =>
  toAsciiDigits(text).replaceAll(/[٫．。，：－−٬]/g, sign => signs[sign] ?? sign)

/** Fields for numbers and times of day say so to the keyboards of phones, those for one-time codes to password managers. */
const takesNumbers = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement &&
  (/^(numeric|decimal)$/.test(target.inputMode) || target.autocomplete === 'one-time-code')

/** The browser's own setter: React compares a field with the last value set through its own. */
const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set

function followInput({ target }: Event): void {
  if (!takesNumbers(target)) return
  const text = readTypedNumber(target.value)
  if (text === target.value) return
  const fromEnd = target.value.length - (target.selectionStart ?? target.value.length)
  setValue?.call(target, text)
  const place = Math.max(0, text.length - fromEnd)
  target.setSelectionRange(place, place)
}

/**
 * Lets every field for numbers and times take the digits of Arabic, Persian and Chinese keyboards, typed or pasted: it is changed
 * before the field reads it, because Mantine's drops all but 0 to 9. Call it once.
 */
export const followTypedNumbers = (): void => addEventListener('input', followInput, { capture: true })
