/** A figure with its meaning and its goal; without a goal it is only reported. */
export interface Figure {
  what: string
  unit: string
  atMost?: number
  atLeast?: number
}

/** One measurement of `npm run bench`: the default export of `bench-<name>.ts`. */
export interface Bench {
  name: string
  what: string
  figures: Record<string, Figure>
  /** The options that it takes beside `--json`, such as `--fresh`. */
  options?: readonly string[]
  /** Its options that take a whole number, such as `--devices 1000`. */
  numbers?: readonly string[]
  /** Its options that take a text, such as `--data FOLDER`. */
  texts?: readonly string[]
  /** Measures; gets the further arguments of the command line, and prints its progress on stderr. @returns some or all of `figures` */
  run: (args: readonly string[]) => Promise<Record<string, number>>
}

/** Checks a bench's options. @returns why they are wrong; null if they are right */
export function whyWrongOptions(
  { name, options = [], numbers = [], texts = [] }: Bench,
  args: readonly string[],
) {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (numbers.includes(arg)) {
      if (!/^[1-9]\d*$/.test(args[(index += 1)] ?? '')) return `${arg} needs a whole number.`
    } else if (texts.includes(arg)) {
      if (/^(--|$)/.test(args[(index += 1)] ?? '')) return `${arg} needs a value.`
    } else if (!options.includes(arg)) return `The bench '${name}' has no option ${arg}.`
  }
  return null
}

/** The value of an option that takes a whole number. */
export function numberOption(args: readonly string[], option: string, byDefault: number): number {
  const index = args.indexOf(option)
  return index === -1 ? byDefault : Number(args[index + 1])
}

/** The value of an option that takes a text; null without it. */
export function textOption(args: readonly string[], option: string): string | null {
  const index = args.indexOf(option)
  return index === -1 ? null : (args[index + 1] ?? null)
}

export interface Measured extends Figure {
  figure: string
  value: number
  /** Null where there is no goal. */
  met: boolean | null
}

/** Compares the measured figures with their goals, in the bench's order. Raises for an undeclared figure. */
export function compareWithGoals(bench: Bench, values: Record<string, number>): Measured[] {
  const unknown = Object.keys(values).filter(name => !(name in bench.figures))
  if (unknown.length > 0)
    throw new Error(`${bench.name} measured what it does not declare: ${unknown.join(', ')}`)
  return Object.entries(bench.figures).flatMap(([figure, goal]) => {
    const value = values[figure]
    if (value === undefined) return []
    const hasGoal = goal.atMost !== undefined || goal.atLeast !== undefined
    const isMet = value <= (goal.atMost ?? Infinity) && value >= (goal.atLeast ?? -Infinity)
    return [{ figure, ...goal, value, met: hasGoal ? isMet : null }]
  })
}

const rounded = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3))

function goalOf({ atMost, atLeast, unit }: Measured): string {
  if (atMost !== undefined) return `at most ${atMost} ${unit}`
  return atLeast === undefined ? 'reported' : `at least ${atLeast} ${unit}`
}

/** A table for people: figure, value, goal, verdict. */
export function formatTable(measured: readonly Measured[]): string {
  const rows = measured.map(row => [
    row.what,
    `${rounded(row.value)} ${row.unit}`.trim(),
    goalOf(row).trim(),
    row.met === null ? '' : row.met ? 'met' : 'MISSED',
  ])
  const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows
    .map(row =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
