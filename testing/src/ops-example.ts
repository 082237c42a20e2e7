import { readFileSync } from 'node:fs'

const OPS = new URL('../../ops/', import.meta.url)

/** A file of ops/, which an operator copies and changes. */
export const readExample = (file: string): string => readFileSync(new URL(file, OPS), 'utf8')

/** Replaces what the head of an example tells its reader to change. @throws Error if it is not there */
export function change(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The example has no '${from}'`)
    return changed.replaceAll(from, to)
  }, text)
}
