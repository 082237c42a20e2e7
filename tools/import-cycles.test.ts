import { expect, it } from 'vitest'
import { checkFolderCycles, findFileCycles, findFolderCycles } from './import-cycles.ts'

const features = 'apps/server/src/features'

/** One import for each pair of files below the server's `src/features`. */
const importsOf = (...pairs: [from: string, to: string][]) =>
  pairs.map(([from, to], line) => ({
    from: `${features}/${from}`,
    to: `${features}/${to}`,
    specifier: `../${to}`,
    line,
    typeOnly: false,
    isDynamic: false,
  }))

const bothWays = importsOf(
  ['media/media.ts', 'stream/stream.ts'],
  ['media/uploads.ts', 'stream/stream.ts'],
  ['stream/stream-routes.ts', 'media/media.ts'],
)

it('folder cycles are found between two folders, by different files too', () => {
  expect(findFolderCycles(bothWays).map(cycle => cycle.map(({ from }) => from))).toEqual([
    [`${features}/media`, `${features}/stream`],
  ])
})

it('folder cycles are found around three folders', () => {
  const around = importsOf(['a/a.ts', 'b/b.ts'], ['b/b.ts', 'c/c.ts'], ['c/c.ts', 'a/a.ts'])
  expect(findFolderCycles(around).map(cycle => cycle.length)).toEqual([3])
})

it('folder cycles are none inside one folder, however deep', () => {
  const inside = importsOf(['media/media.ts', 'media/probe/mp3.ts'], ['media/probe/mp3.ts', 'media/kinds.ts'])
  expect(findFolderCycles(inside)).toEqual([])
})

it('folder cycles are reported with an import of each arrow', () => {
  const [text] = checkFolderCycles(bothWays, [])
  expect(text).toContain(
    `${features}/stream → ${features}/media: ${features}/stream/stream-routes.ts:2 imports ../media/media.ts`,
  )
})

it('folder cycles are allowed by a known arrow, as long as it closes one', () => {
  const known = [`${features}/stream → ${features}/media`]
  expect(checkFolderCycles(bothWays, known)).toEqual([])
  expect(checkFolderCycles(bothWays.slice(0, 2), known)).toEqual([
    expect.stringContaining(`${known[0]} closes no cycle any more`),
  ])
  expect(checkFolderCycles(bothWays.slice(2), known)).toEqual([
    expect.stringContaining(`${known[0]} closes no cycle any more`),
  ])
})

it('file cycles are found by static imports, inside one folder too', () => {
  const [there, back, on] = importsOf(
    ['media/media.ts', 'media/kinds.ts'],
    ['media/kinds.ts', 'media/media.ts'],
    ['media/media.ts', 'stream/stream.ts'],
  )
  if (!there || !back || !on) throw new Error('there are three imports')
  expect(findFileCycles([there, back, on]).map(cycle => cycle.map(({ from }) => from))).toEqual([
    [`${features}/media/media.ts`, `${features}/media/kinds.ts`],
  ])
  expect(findFileCycles([there, { ...back, isDynamic: true }, on])).toEqual([])
})
