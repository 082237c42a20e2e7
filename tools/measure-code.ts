import {
  type CodeMetrics,
  MAX_BESIDE,
  measureEach,
  type SingleImporter,
  type Spread,
} from './code-metrics.ts'
import { ownRoot } from './source-files.ts'

/** Prints the sizes of the sources and the state of their imports, for each workspace and all; with `--json` as JSON. */
const measures = measureEach(ownRoot)

const HEAD = [
  '',
  'files',
  'lines',
  'functions',
  'lines',
  'one importer',
  'beside it',
  'cycles',
  'of files',
  'upward',
]
const GOALS = ['goal', '', '', '', '', '', `≤ ${MAX_BESIDE}`, '0', '0', '0']

const words = ({ median, p90, max }: Spread) => `${median} · ${p90} · ${max}`

const row = ([name, code]: [string, CodeMetrics]): string[] => [
  name,
  String(code.files),
  words(code.fileLines),
  String(code.functions),
  words(code.functionLines),
  String(code.singleImporters.length),
  String(code.singleImporters.filter(({ isBeside }) => isBeside).length),
  String(code.folderCycles.length),
  String(code.fileCycles.length),
  String(code.upwardImports.length),
]

function printTable(rows: readonly string[][]) {
  const widths = HEAD.map((_, column) => Math.max(...rows.map(cells => cells[column]?.length ?? 0)))
  for (const cells of rows)
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('   ')
        .trimEnd(),
    )
}

function printList(title: string, lines: readonly string[]) {
  if (lines.length > 0) console.log(`\n${title}\n${lines.map(line => `  ${line}`).join('\n')}`)
}

const oneImporter = ({ file, lines, importer }: SingleImporter) => `${file} (${lines}) ← ${importer}`

if (process.argv.includes('--json')) console.log(JSON.stringify(measures, null, 2))
else {
  printTable([HEAD, ...Object.entries(measures).map(row), GOALS])
  console.log('\nLines: median · 90th percentile · maximum. Tests and generated files do not count.')
  console.log(
    'One importer: short files; entries of a table, such as pages and the routes of features, do not count.',
  )
  const {
    singleImporters = [],
    folderCycles = [],
    fileCycles = [],
    upwardImports = [],
  } = measures['all'] ?? {}
  const beside = singleImporters.filter(({ isBeside }) => isBeside)
  const apart = singleImporters.filter(({ isBeside }) => !isBeside)
  printList('Under 60 lines, with one importer in the same folder', beside.map(oneImporter))
  printList('Under 60 lines, with one importer in another folder', apart.map(oneImporter))
  const drawCycle = (cycle: readonly string[]) => [...cycle, cycle[0]].join(' → ')
  printList('Folder cycles', folderCycles.map(drawCycle))
  printList('File cycles', fileCycles.map(drawCycle))
  printList('Upward imports', upwardImports)
}
