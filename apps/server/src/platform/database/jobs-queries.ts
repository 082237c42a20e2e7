import type { JobOutcome } from '@floorcast/contract/operator.ts'
import type { Pool } from 'pg'
import { callFunction } from './auth-queries.ts'
import { entryOf, type OperatorAct } from './operator-queries.ts'

/*
 * What the role `floorcast_jobs` does for the installation, beside its work for clients: it makes operators, says when a job ran, and finds
 * what is due.
 */

/** A job on a server. */
export interface ServerJob {
  name: string
  server: string
}

/** The newest run of each job on each server, and the servers. */
export interface JobRunQueries {
  noteServer(server: {
    name: string
    version: string
    role: string
    startedAt: Date
    at: Date
  }): Promise<void>
  /** Says when a job comes that has nothing to do now. */
  plan(job: ServerJob, at: Date, nextAt: Date): Promise<void>
  begin(job: ServerJob, at: Date): Promise<void>
  /** Renews the lease of a run. */
  beat(job: ServerJob, at: Date): Promise<void>
  /** Takes the job away from a server that does not have it any more. */
  drop(job: ServerJob): Promise<void>
  end(job: ServerJob, run: { outcome: JobOutcome; at: Date; nextAt: Date }): Promise<void>
}

/** The queries of the role `floorcast_jobs` about its own work. */
export function openJobRunQueries(pool: Pool): JobRunQueries {
  const run = async (name: string, ...values: unknown[]) => void (await callFunction(pool, name, values))
  return {
    noteServer: ({ name, version, role, startedAt, at }) =>
      run('jobs_note_server', name, version, role, startedAt, at),
    plan: ({ name, server }, at, nextAt) => run('jobs_plan_run', name, server, at, nextAt),
    begin: ({ name, server }, at) => run('jobs_begin_run', name, server, at),
    beat: ({ name, server }, at) => run('jobs_beat_run', name, server, at),
    drop: ({ name, server }) => run('jobs_drop_run', name, server),
    end: ({ name, server }, { outcome, at, nextAt }) =>
      run('jobs_end_run', name, server, outcome, at, nextAt),
  }
}

/** The fingerprint of the installation's key. */
export interface KeyQueries {
  /** Notes a key if none is noted. @returns the noted one */
  noteKey(fingerprint: Buffer | null): Promise<Buffer | null>
  /** Notes a key in place of the noted one. */
  acceptKey(fingerprint: Buffer): Promise<void>
}

const openKeyQueries = (pool: Pool): KeyQueries => ({
  noteKey: async fingerprint =>
    (await callFunction<{ jobsNoteKey: Buffer | null }>(pool, 'jobs_note_key', [fingerprint]))[0]
      ?.jobsNoteKey ?? null,
  acceptKey: async fingerprint => {
    await callFunction(pool, 'jobs_accept_key', [fingerprint])
  },
})

/** What the store of files is asked about for all clients. */
export interface FileQueries {
  /** The name of the installation that its bucket carries. */
  installationUid(): Promise<string>
  /** The notes of stored files that may have no row, and that no server works on any more; at most 1,000, the oldest first. */
  dueFiles(): Promise<{ uid: string; clientUid: string; sha256: string }[]>
}

const openFileQueries = (pool: Pool): FileQueries => ({
  installationUid: async () =>
    (await callFunction<{ jobsInstallationUid: string }>(pool, 'jobs_installation_uid', []))[0]
      ?.jobsInstallationUid ?? '',
  dueFiles: () => callFunction(pool, 'jobs_due_files', []),
})

/** A client's signed address, and what its devices do with it. */
export interface ServerAddressRow {
  clientUid: string
  clientName: string
  hasUpdateKey: boolean
  /** The text that was signed; null: none is published. */
  addressStatement: string | null
  devices: number
  /** Devices that keep it, that report there, and that refuse an address that they were told. */
  keeping: number
  there: number
  refusing: number
}

/** A client's open request for a plan, as the operator sees it. */
export interface PlanRequestRow {
  requestedAt: string
  clientName: string
  /** The email of the user who asks, or of an admin if that user is gone. */
  email: string | null
  planKey: string
  currentKey: string
  subscriptionExpiresAt: string
  devices: number
}

/** What `npm run admin` lists of all clients. */
export interface ClientLists {
  /** The open requests for plans, the oldest first. */
  planRequests(): Promise<PlanRequestRow[]>
  /** All clients, by name. */
  serverAddresses(): Promise<ServerAddressRow[]>
}

const openClientLists = (pool: Pool): ClientLists => ({
  planRequests: () => callFunction(pool, 'jobs_plan_requests', []),
  serverAddresses: () => callFunction(pool, 'jobs_server_addresses', []),
})

/** Which days of plays the archive may take, over all clients. */
export interface PlayDayQueries {
  /** The days before one whose partition of plays takes room, the oldest first. */
  playDaysBefore(day: string): Promise<{ day: string; bytes: number }[]>
  /**
   * Gives back the room of such a partition. @returns false if a client has plays in it
   * @throws an error for which `isLockTimeout` is true if somebody reads the table for long
   */
  freePlayDay(day: string): Promise<boolean>
}

const openPlayDayQueries = (pool: Pool): PlayDayQueries => ({
  playDaysBefore: day => callFunction(pool, 'jobs_play_days_before', [day]),
  freePlayDay: async day =>
    (await callFunction<{ jobsFreePlayDay: boolean }>(pool, 'jobs_free_play_day', [day]))[0]
      ?.jobsFreePlayDay === true,
})

/** When the conditions of all clients were looked at. */
export interface LookQueries {
  /** @returns since when no pause between looks was longer than `pauseMs`; null if this minute has one */
  noteLook(minute: Date, pauseMs: number): Promise<Date | null>
}

const openLookQueries = (pool: Pool): LookQueries => ({
  noteLook: async (minute, pauseMs) => {
    const [row] = await callFunction<{ jobsNoteLook: Date | string | null }>(pool, 'jobs_note_look', [
      minute,
      `${pauseMs} ms`,
    ])
    return row?.jobsNoteLook ? new Date(row.jobsNoteLook) : null
  },
})

export type WorkQueries = FileQueries & KeyQueries & ClientLists & LookQueries & PlayDayQueries

/** What its jobs and commands ask about all clients. */
export const openWorkQueries = (pool: Pool): WorkQueries => ({
  ...openFileQueries(pool),
  ...openKeyQueries(pool),
  ...openClientLists(pool),
  ...openLookQueries(pool),
  ...openPlayDayQueries(pool),
})

/** Operators as `npm run admin` makes and ends them. */
export interface OperatorAccounts {
  /** False if there is an operator with this email. */
  add(operator: { uid: string; email: string; link: OperatorLink }, act: OperatorAct): Promise<boolean>
  /** Ends password, app and sessions; the link sets others. False for an unknown email, like the next two. */
  reset(email: string, link: OperatorLink, act: OperatorAct): Promise<boolean>
  lock(email: string, isLocked: boolean, act: OperatorAct): Promise<boolean>
  remove(email: string, act: OperatorAct): Promise<boolean>
  list(): Promise<OperatorAccount[]>
  /** Deletes entries of the audit before a moment, and what is over. */
  purge(auditedBefore: Date, at: Date): Promise<void>
}

export interface OperatorAccount {
  email: string
  createdAt: string
  lastSignInAt: string | null
  isEnrolled: boolean
  isLocked: boolean
}

interface OperatorLink {
  tokenHash: Buffer
  expiresAt: Date
}

/** The queries of the role `floorcast_jobs` about operators. */
export function openOperatorAccounts(pool: Pool): OperatorAccounts {
  const isDone = async (name: string, ...values: unknown[]) =>
    Object.values((await callFunction<Record<string, boolean>>(pool, name, values))[0] ?? {})[0] === true
  return {
    add: ({ uid, email, link }, act) =>
      isDone('jobs_add_operator', uid, email, link.tokenHash, link.expiresAt, entryOf(act)),
    reset: (email, link, act) =>
      isDone('jobs_reset_operator', email, link.tokenHash, link.expiresAt, entryOf(act)),
    lock: (email, isLocked, act) => isDone('jobs_lock_operator', email, isLocked, entryOf(act)),
    remove: (email, act) => isDone('jobs_remove_operator', email, entryOf(act)),
    list: () => callFunction<OperatorAccount>(pool, 'jobs_operators', []),
    purge: async (auditedBefore, at) => {
      await callFunction(pool, 'jobs_purge_operators', [auditedBefore, at])
    },
  }
}
