/** A row of flags that counts the set ones in a range in logarithmic time (a Fenwick tree). */
export class CountedRange {
  private readonly sums: Int32Array
  private readonly flags: Uint8Array

  constructor(size: number) {
    this.sums = new Int32Array(size + 1)
    this.flags = new Uint8Array(size)
  }

  set(place: number, flag: boolean): void {
    const change = (flag ? 1 : 0) - (this.flags[place] ?? 0)
    if (change === 0) return
    this.flags[place] = flag ? 1 : 0
    for (let at = place + 1; at < this.sums.length; at += at & -at)
      this.sums[at] = (this.sums[at] ?? 0) + change
  }

  /** From `first` to before `end`. */
  countBetween(first: number, end: number): number {
    return this.countBefore(end) - this.countBefore(first)
  }

  private countBefore(end: number): number {
    let count = 0
    for (let at = end; at > 0; at -= at & -at) count += this.sums[at] ?? 0
    return count
  }
}
