import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const TICKS_PER_SECOND = 100

interface Stat {
  parent: number
  /** Seconds of the process itself, and of its children that have ended. */
  own: number
  ofChildren: number
}

function readStat(pid: number | string): Stat | null {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  // The program's name, in parentheses, may have spaces. The next fields are state, parent, …
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const seconds = (index: number) => Number(fields[index]) / TICKS_PER_SECOND
  return { parent: Number(fields[1]), own: seconds(11) + seconds(12), ofChildren: seconds(13) + seconds(14) }
}

/** Seconds of processor time that a process has used (Linux). */
export const processorSeconds = (pid: number): number => readStat(pid)?.own ?? 0

/** Seconds of processor time that a process and all its children have used, also those that have ended (Linux). */
export function familySeconds(pid: number): number {
  const parent = readStat(pid)
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => readStat(name) ?? [])
    .filter(stat => stat.parent === pid)
  return children.reduce((sum, { own }) => sum + own, (parent?.own ?? 0) + (parent?.ofChildren ?? 0))
}

/** Begins a measurement of the time that the host gave to other machines. The returned function ends it: from 0 to 1 (Linux). */
export function measureStolen(): () => number {
  const read = () => {
    if (process.platform !== 'linux') return { stolen: 0, all: 0 }
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    const times = line.split(/\s+/).slice(1, 9).map(Number)
    return { stolen: times[7] ?? 0, all: times.reduce((sum, each) => sum + each, 0) }
  }
  const before = read()
  return () => {
    const after = read()
    return (after.stolen - before.stolen) / Math.max(1, after.all - before.all)
  }
}
