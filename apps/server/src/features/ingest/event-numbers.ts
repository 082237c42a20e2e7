/** The received numbers of one boot: ranges [from, to), ascending, neither adjacent nor overlapping. */
export type NumberRanges = readonly (readonly [from: number, to: number])[]

/** Parses an int8multirange of PostgreSQL, such as `{[1,5),[7,9)}`. */
export function parseRanges(text: string): NumberRanges {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => [Number(from), Number(to)] as const)
}

/** Formats ranges as an int8multirange. */
export function writeRanges(ranges: NumberRanges): string {
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`
}

/** True if a number was received before. */
export function hasNumber(ranges: NumberRanges, number: number): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.[1] ?? 0) <= number) low = middle + 1
    else high = middle
  }
  const found = ranges[low]
  return found !== undefined && found[0] <= number
}

/** Maximum ranges of one boot, so that no device grows its row without limit. A device that loses nothing has one range. */
export const MAX_RANGES = 1000

/** Adds numbers to ranges, in any order; duplicates are allowed. */
export function addNumbers(ranges: NumberRanges, numbers: Iterable<number>): NumberRanges {
  const all = [...ranges, ...[...numbers].map(number => [number, number + 1] as const)]
  all.sort((a, b) => a[0] - b[0])
  const merged: [number, number][] = []
  for (const [from, to] of all) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
