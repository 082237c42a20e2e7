const SAY_EVERY_MS = 5000

/** Says how far the work is, every few seconds. */
export function makeProgress(say: (line: string) => void): (line: () => string) => void {
  let saidAt = performance.now()
  return line => {
    if (performance.now() - saidAt < SAY_EVERY_MS) return
    saidAt = performance.now()
    say(line())
  }
}

export function showBytes(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3]
  return `${(bytes / size).toFixed(1)} ${unit}`
}
