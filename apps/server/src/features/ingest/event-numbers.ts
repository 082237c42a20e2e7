/** Numbers received of one boot: whole ranges [from, to), ascending, neither touching nor overlapping. */
export type NumberRanges = readonly (readonly [from: number, to: number])[]

/** Reads PostgreSQL's int8multirange, such as `{[1,5),[7,9)}`. */
export function parseRanges(text: string): NumberRanges {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => [Number(from), Number(to)] as const)
}

/** Writes them as PostgreSQL reads them. */
export function writeRanges(ranges: NumberRanges): string {
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`
}

/** Whether a number was received before. */
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

/** Ranges of one boot at most, so that no device grows its row without end; one that loses nothing has one. */
export const MAX_RANGES = 1000

/** The ranges with more numbers received, in any order, each any number of times. */
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
