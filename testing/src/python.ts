import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Debian's Python, which has Debian's modules; else the first one of the path. */
export const findPython = () => (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3')

/** Returns the JSON that a program in Python prints about bytes on its standard input. */
export function runPython<Result>(program: string, input: Buffer): Result {
  const options = { input, maxBuffer: 100_000_000, encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync(findPython(), ['-c', program], options)
  if (stderr) throw new Error(stderr)
  return JSON.parse(stdout) as Result
}
