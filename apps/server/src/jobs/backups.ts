import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Context } from '../context.ts'
import { ANOTHER_RUNS, momentOfName } from '../platform/backup/backup-format.ts'
import { readTarget } from '../platform/backup/target.ts'
import { SKIPPED } from '../platform/metrics/watch-job.ts'
import type { Settings } from '../platform/settings/settings.ts'
import type { Jobs } from './jobs.ts'

/*
 * The daily backup of BACKUP_TARGET: `npm run backup` in a process of its own, with a low priority. A look each minute finds whether the
 * newest backup is older than the last BACKUP_AT, so that a server that was off makes up for it. Of several servers one at a time backs up.
 */

const PROGRAM = fileURLToPath(new URL('../backup.ts', import.meta.url))
const LOOK_MS = 60_000
/** After a failure the next try waits, so that a full target does not cost a copy each minute. */
const RETRY_MS = 30 * 60_000
const DAY_MS = 86_400_000

export type BackupContext = Pick<Context, 'log' | 'now'> & { settings: Pick<Settings, 'backup' | 'dataDir'> }

/** The last moment at or before now that has this time of day (`HH:MM`, UTC). */
export function lastMoment(now: Date, at: string): Date {
  const today = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`)
  return today <= now ? today : new Date(today.getTime() - DAY_MS)
}

async function isDue({ settings: { backup, dataDir }, now }: BackupContext): Promise<boolean> {
  if (backup === null) return false
  // The backup of a target that is missing fails, and says so.
  const newest = (await readTarget(backup.target, dataDir)).names.at(-1)
  return newest === undefined || momentOfName(newest) < lastMoment(now(), backup.at)
}

/** Its message is what the command complains of. */
class BackupFailed extends Error {}

/** Looks now and each minute whether a backup is due, and makes it. @returns a function that ends it, with a backup that runs */
export function startBackups(context: BackupContext, jobs: Jobs, lookMs = LOOK_MS): () => Promise<void> {
  const { log, settings } = context
  const { backup } = settings
  if (backup === null) {
    const dropped = jobs.drop('backup')
    return () => dropped
  }
  let notBefore = 0
  const make = async (signal: AbortSignal) => {
    const begun = performance.now()
    const secondsNow = () => Math.round((performance.now() - begun) / 1000)
    try {
      const said = await runBackup([backup.target, '--keep', String(backup.keep)], signal)
      if (said === null) return SKIPPED
      log.info({ seconds: secondsNow(), says: said.trim().split('\n').slice(1) }, 'backup made')
      return 'done' as const
    } catch (error) {
      if (error instanceof BackupFailed && !signal.aborted) {
        notBefore = performance.now() + RETRY_MS
        const says = error.message
        log.error({ seconds: secondsNow(), says }, 'backup failed; it is tried again in half an hour')
      }
      throw error
    }
  }
  return jobs.start({
    name: 'backup',
    // What counts for monitors is the newest backup, whichever server has made it.
    succeedsWithinMs: null,
    lookMs,
    isDue: async () => performance.now() >= notBefore && (await isDue(context)),
    nextAt: now => new Date(lastMoment(now, backup.at).getTime() + DAY_MS),
    run: ({ signal }) => make(signal),
    onFailure: error => {
      if (!(error instanceof BackupFailed)) log.error({ err: error }, 'backup failed')
    },
  })
}

/** @returns what the command says; null if another server or command is at it @throws BackupFailed */
async function runBackup(args: string[], signal: AbortSignal): Promise<string | null> {
  // The settings are those of this server, not those of a service on the same machine.
  const child = spawn(process.execPath, [PROGRAM, ...args, '--env', '/dev/null'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => child.kill('SIGTERM')
  signal.addEventListener('abort', end, { once: true })
  const closed = once(child, 'close') as Promise<[number | null]>
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  signal.removeEventListener('abort', end)
  if (code === ANOTHER_RUNS) return null
  if (signal.aborted) throw new BackupFailed('the server stops')
  if (code !== 0) throw new BackupFailed(complained.trim())
  return said
}
