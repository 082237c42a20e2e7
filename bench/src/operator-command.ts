import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { endWithThisProcess, peakMegabytes } from './server-process.ts'

const root = resolve(import.meta.dirname, '../..')
const SAMPLE_MS = 50

export interface EndedProgram {
  seconds: number
  /** The most memory that it had, in MB (Linux). */
  megabytes: number
}

/** Runs a program to its end. @throws Error with what it complained of */
export async function runMeasured(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<EndedProgram> {
  const begun = performance.now()
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  endWithThisProcess(child)
  let megabytes = 0
  const sampling = setInterval(() => {
    megabytes = Math.max(megabytes, peakMegabytes(child.pid ?? 0))
  }, SAMPLE_MS)
  const closed = once(child, 'close') as Promise<[number | null]>
  const [complained, [code]] = await Promise.all([text(child.stderr), closed])
  clearInterval(sampling)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${complained}`)
  return { seconds: (performance.now() - begun) / 1000, megabytes }
}

/** Runs `npm run backup` or `npm run restore` on an installation. */
export const runOperatorCommand = (
  command: 'backup' | 'restore',
  args: readonly string[],
  installation: { DATABASE_URL: string; DATA_DIR: string },
): Promise<EndedProgram> =>
  runMeasured(
    process.execPath,
    [`apps/server/src/${command}.ts`, ...args, '--env', '/dev/null'],
    installation,
  )
