const MOST_CODE_POINTS = 50
const MOST_TRIES = 1000

/** The name cut so that the ending fits into a name's length, counted in code points. */
const withEnding = (name: string, ending: string) =>
  [...name]
    .slice(0, MOST_CODE_POINTS - ending.length)
    .join('')
    .trimEnd() + ending

const endings = Array.from({ length: MOST_TRIES }, (_, n) =>
  n === 0 ? ' - restored' : ` - restored ${n + 1}`,
)

/** What a restored thing may be called: its own name, then with ' - restored', then numbered. */
export const restoredNames = (name: string): string[] => [name, ...endings.map(end => withEnding(name, end))]

/** The same for a file's name, before its extension. */
export function restoredFileNames(fileName: string): string[] {
  const [, stem = fileName, extension = ''] = /^(.+)(\.[^.]{1,10})$/u.exec(fileName) ?? []
  return endings.map(end => `${stem}${end}${extension}`)
}
