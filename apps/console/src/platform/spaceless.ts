/** Whether a text has letters of a script that writes no spaces between words. */
export const isSpaceless = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text)

/** Whether a text is long enough to search for it: two characters, or one that says as much as a word. */
export const isSearchable = (text: string): boolean => text.length >= 2 || isSpaceless(text)
