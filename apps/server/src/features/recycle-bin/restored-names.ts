import { chooseLanguage, readAcceptLanguage } from '@floorcast/contract/locales.ts'
import en from '@floorcast/locales/catalogues/en/recycle.json' with { type: 'json' }
import { readCatalogues } from '@floorcast/locales/read-catalogues.ts'

const catalogues = readCatalogues<{ restoredEnding: string }>('recycle', en)
const available = Object.keys(catalogues)

/** What the name of a restored item gets if another item has it now, in the language of the call: 'restored'. */
export const restoredEnding = (acceptLanguage: string | undefined): string =>
  catalogues[chooseLanguage(readAcceptLanguage(acceptLanguage), available)].restoredEnding

const MAX_CODE_POINTS = 50
const MAX_TRIES = 1000

/** The name with the ending, cut to the length of a name. Lengths are in code points. */
const withEnding = (name: string, ending: string) =>
  [...name]
    .slice(0, MAX_CODE_POINTS - [...ending].length)
    .join('')
    .trimEnd() + ending

function* numbered(ending: string): Generator<string> {
  yield ` - ${ending}`
  for (let n = 2; n <= MAX_TRIES; n += 1) yield ` - ${ending} ${n}`
}

/** The names that a restored item may get, in order: its own name, then with ' - ' and the ending, then with a number too. */
export function* restoredNames(name: string, ending: string): Generator<string> {
  yield name
  for (const end of numbered(ending)) yield withEnding(name, end)
}

/** The same for a file name: the endings come before the extension. */
export function* restoredFileNames(fileName: string, ending: string): Generator<string> {
  const [, stem = fileName, extension = ''] = /^(.+)(\.[^.]{1,10})$/u.exec(fileName) ?? []
  for (const end of numbered(ending)) yield `${stem}${end}${extension}`
}
