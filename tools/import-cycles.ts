import type { Import } from './import-rules.ts'

/** All imports from one folder, or file, to another; as paths from the repository's root. */
interface Arrow {
  from: string
  to: string
  imports: Import[]
}

/** Folders or files that import each other in a circle: each arrow starts where the one before it ends. */
export type Cycle = Arrow[]

/**
 * Arrows that close a cycle today, as `from → to`. The list only shrinks: an arrow that no longer closes a cycle fails the
 * check until its line is deleted.
 */
export const knownArrows: readonly string[] = []

const nameOf = ({ from, to }: Pick<Arrow, 'from' | 'to'>) => `${from} → ${to}`

const LAYERS_WITH_FOLDERS = ['features', 'platform', 'ui']

/**
 * The folder that a file counts for: one of `src`, of `src/features`, `src/platform` or `src/ui`, with all below it. A file
 * of `src` itself stands alone: `context.ts` is below the features, `app.ts` above them. Null outside of apps and packages.
 */
function folderOf(file: string): string | null {
  const [, src = '', inside = ''] = /^((?:apps|packages)\/[^/]+\/src)\/(.+)$/.exec(file) ?? []
  const [first = '', second = '', third] = inside.split('/')
  if (inside === '') return null
  return LAYERS_WITH_FOLDERS.includes(first) && third !== undefined
    ? `${src}/${first}/${second}`
    : `${src}/${first}`
}

function readArrows(imports: readonly Import[], placeOf: (file: string) => string | null): Arrow[] {
  const arrows = new Map<string, Arrow>()
  for (const one of imports) {
    const [from, to] = [placeOf(one.from), placeOf(one.to)]
    if (from === null || to === null || from === to) continue
    const arrow = arrows.get(nameOf({ from, to })) ?? { from, to, imports: [] }
    arrow.imports.push(one)
    arrows.set(nameOf(arrow), arrow)
  }
  return [...arrows.values()]
}

/** The shortest way from the end of `arrow` back to its start; null when there is none. */
function cycleThrough(arrow: Arrow, arrows: readonly Arrow[]): Cycle | null {
  const paths: Cycle[] = [[arrow]]
  const seen = new Set([arrow.to])
  for (const path of paths) {
    const end = path.at(-1)?.to
    if (end === arrow.from) return path
    for (const next of arrows)
      if (next.from === end && !seen.has(next.to)) {
        seen.add(next.to)
        paths.push([...path, next])
      }
  }
  return null
}

const shorter = (one: Cycle, other: Cycle) => (other.length < one.length ? other : one)
const weaker = (one: Arrow, other: Arrow) => (other.imports.length < one.imports.length ? other : one)

/**
 * The shortest cycles that have to be broken before none is left: after each, the arrow with the fewest imports counts as
 * removed.
 */
export function findFolderCycles(imports: readonly Import[]): Cycle[] {
  return cyclesOf(readArrows(imports, folderOf))
}

/** The same of files, by their static imports. What a file loads later may import it. */
export function findFileCycles(imports: readonly Import[]): Cycle[] {
  const begun = imports.filter(({ isDynamic }) => !isDynamic)
  return cyclesOf(withoutEnds(readArrows(begun, file => file)))
}

/** The arrows that may be part of a cycle: one more starts where they end, and one ends where they start. */
function withoutEnds(arrows: readonly Arrow[]): readonly Arrow[] {
  const [starts, ends] = [new Set(arrows.map(({ from }) => from)), new Set(arrows.map(({ to }) => to))]
  const left = arrows.filter(({ from, to }) => ends.has(from) && starts.has(to))
  return left.length === arrows.length ? arrows : withoutEnds(left)
}

function cyclesOf(all: readonly Arrow[]): Cycle[] {
  const cycles: Cycle[] = []
  let arrows = all
  for (;;) {
    const found = arrows.map(arrow => cycleThrough(arrow, arrows)).filter(cycle => cycle !== null)
    if (found.length === 0) return cycles
    const cycle = found.reduce(shorter)
    cycles.push(cycle)
    const removed = cycle.reduce(weaker)
    arrows = arrows.filter(arrow => arrow !== removed)
  }
}

function describeCycle(cycle: Cycle): string {
  const steps = cycle.map(
    ({ from, to, imports: [first] }) =>
      `  ${from} → ${to}: ${first?.from}:${first?.line} imports ${first?.specifier}`,
  )
  return [`Folders import each other in a circle:`, ...steps].join('\n')
}

/** One text for each cycle that `known` does not allow, and for each known arrow that closes no cycle any more. */
export function checkFolderCycles(imports: readonly Import[], known: readonly string[]): string[] {
  const arrows = readArrows(imports, folderOf)
  const cycles = cyclesOf(arrows.filter(arrow => !known.includes(nameOf(arrow))))
  const needless = known.filter(name => {
    const arrow = arrows.find(one => nameOf(one) === name)
    return arrow === undefined || cycleThrough(arrow, arrows) === null
  })
  return [
    ...cycles.map(describeCycle),
    ...needless.map(
      name => `${name} closes no cycle any more: delete it from knownArrows in import-cycles.ts`,
    ),
  ]
}
