/** In code points, as `Name` in fields.ts. */
const MAX_NAME_LENGTH = 50

const SEPARATOR = /[\s.,_\-&+]/u
const SEPARATORS_AT_END = /[\s.,_\-&+]+$/u

/** The text if it is short enough, else cut at the end of its last whole word, or in a word that takes more than half. */
export function cutAtWord(text: string, length = MAX_NAME_LENGTH): string {
  const letters = [...text]
  if (letters.length <= length) return text
  const ends = letters.slice(0, length + 1).flatMap((letter, at) => (SEPARATOR.test(letter) ? [at] : []))
  const end = ends.at(-1) ?? 0
  const whole = letters.slice(0, end).join('').replace(SEPARATORS_AT_END, '')
  return [...whole].length >= length / 2 ? whole : letters.slice(0, length).join('').trim()
}

const COPY = ' - copy'

/** A copy's copy is one of the original. */
const COUNTED = /^(.*?)(?: \d+)?$/su

/**
 * The first free name of a copy: 'Calm - copy', 'Calm - copy 2' and so on.
 * @param ending ' - copy' in the user's language
 * @param taken the names that are in use, whatever the case
 */
export function freeCopyName(name: string, ending: string, taken: readonly string[]): string {
  const used = new Set(taken.map(text => text.toLowerCase()))
  const counted = COUNTED.exec(name)?.[1] ?? name
  const base = counted.endsWith(ending) ? counted.slice(0, -ending.length) : name
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? ending : `${ending} ${number}`
    const free = cutAtWord(base, MAX_NAME_LENGTH - [...end].length) + end
    if (!used.has(free.toLowerCase())) return free
  }
}

/** The name of a playlist's copy. */
export const copyName = (name: string): string => cutAtWord(name, MAX_NAME_LENGTH - COPY.length) + COPY
