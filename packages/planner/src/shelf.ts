/** What a deck is dealt from. */
export interface Shelf {
  /** Seconds by which a play of each track lengthens its block: its duration without the crossfade. */
  air: Float64Array
  weights: Float64Array
  /** Seconds that every block has beyond its tracks' air: the crossfade. */
  overlap: number
}

/** The tracks that may come next, shortest first; the array may be longer than `size`. */
export interface Candidates {
  tracks: Int32Array
  size: number
}

/** The first of the candidates that is longer than `seconds`. */
export function placeAbove(air: Float64Array, { tracks, size }: Candidates, seconds: number): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((air[tracks[middle] ?? 0] ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return low
}
