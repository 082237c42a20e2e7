import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Words by their full key, `noun:path.to.key`, as `t()` takes it. */
export type Catalogue = ReadonlyMap<string, string>

function addWords(words: Map<string, string>, key: string, value: unknown): void {
  if (typeof value === 'string') words.set(key, value)
  else if (typeof value === 'object' && value !== null && !Array.isArray(value))
    for (const [name, inner] of Object.entries(value)) addWords(words, keyWithin(key, name), inner)
  else throw new Error(`${key} is neither words nor a group of words`)
}

const keyWithin = (key: string, name: string) => (key.endsWith(':') ? key + name : `${key}.${name}`)

/** One language's folder: every `<noun>.json` in it. Raises where a file is not JSON or holds anything but texts. */
export function readCatalogue(folder: string): Catalogue {
  const words = new Map<string, string>()
  for (const file of readdirSync(folder).toSorted()) {
    const path = join(folder, file)
    if (!file.endsWith('.json')) throw new Error(`${path} is no <noun>.json`)
    try {
      addWords(words, `${file.slice(0, -'.json'.length)}:`, JSON.parse(readFileSync(path, 'utf8')))
    } catch (cause) {
      throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  }
  return words
}

/**
 * The keys whose words are rightly the same as in English: `{"noun:key": "reason"}`, such as a name, a unit, or a word that both
 * languages share. None where there is no such file. Raises where a key has no reason.
 */
export function readSameWords(path: string): ReadonlySet<string> {
  if (!existsSync(path)) return new Set()
  const reasons: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (typeof reasons !== 'object' || reasons === null) throw new Error(`${path} is no table of reasons`)
  for (const [key, reason] of Object.entries(reasons))
    if (typeof reason !== 'string' || reason.trim() === '') throw new Error(`${path}: ${key} has no reason`)
  return new Set(Object.keys(reasons))
}
