/** Digits of Arabic, of Persian and Urdu, and the wide ones of Chinese: the last four bits of each are its value. */
const OTHER_DIGITS = /[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/g

/** The text with 0 to 9 for the digits of other scripts. */
export const toAsciiDigits = (text: string): string =>
  text.replaceAll(OTHER_DIGITS, digit => String((digit.codePointAt(0) ?? 0) & 15))
