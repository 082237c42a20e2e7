import type { JobOfServer, OperatorAction, PlanRequest } from '@floorcast/contract/operator.ts'
import type { Pool } from 'pg'
import { callFunction } from './auth-queries.ts'

/** What an operator, or a command on the server's machine (`email` null), does: an entry of the operators' audit. */
export interface OperatorAct {
  uid: string
  at: Date
  email: string | null
  action: OperatorAction
  subject?: string
  address?: string
  requestId?: string
}

/** An operator who signs in, with the hash of the password. */
export interface KnownOperator {
  uid: string
  email: string
  passwordHash: string
  isEnrolled: boolean
}

/** An operator in the second step of a sign-in. */
export interface OperatorInStep {
  uid: string
  email: string
  sealedSecret: Buffer | null
  pendingSecret: Buffer | null
}

/** A signed-in operator, found by the token. */
export interface OperatorSession {
  sessionUid: string
  uid: string
  email: string
  expiresAt: string
}

/** The end of a sign-in. */
export interface OperatorSignIn {
  ticketHash: Buffer
  operatorUid: string
  /** The 30-second step of the code. */
  step: number
  /** The pending secret that the code confirms; null for an operator who has an app. */
  confirmedSecret: Buffer | null
  sessionUid: string
  tokenHash: Buffer
  idleExpiresAt: Date
  expiresAt: Date
}

export interface OperatedClientRow {
  uid: string
  name: string
  planKey: string
  subscriptionExpiresAt: string
  createdAt: string
  lastSignInAt: string | null
  devices: number
  deviceLimit: number
  online: number
  silent: number
  down: number
  mediaBytes: number
  mediaLimitBytes: number
  statisticsBytes: number
  statisticsLimitBytes: number
  total: number
}

export interface ClientListRequest {
  search: string
  sort: string
  dir: 'asc' | 'desc'
  page: number
  size: number
}

interface ServerRow {
  name: string
  at: string
  loadOne: number
  loadFive: number
  loadFifteen: number
  freeBytes: number
  totalBytes: number
  version: string | null
  role: string | null
  startedAt: string | null
}

interface DatabaseRow {
  version: string
  sizeBytes: number
  connections: number
  maxConnections: number
  maintainedAt: string | null
  failures: number | null
}

interface Totals {
  clients: number
  devices: number
  online: number
  silent: number
  down: number
  never: number
  sampledAt: string | null
}

interface AuditRow {
  uid: string
  at: string
  email: string | null
  action: OperatorAction
  subject: string
  address: string | null
  total: number
}

/** The sign-in of operators, their acts, and what they see: counts over all clients. Tokens are passed as SHA-256 hashes. */
export interface OperatorQueries {
  /** Null for a locked operator too. */
  byEmail(email: string): Promise<KnownOperator | null>
  /** Records a failed sign-in, unless `maxAnHour` of this operator are recorded. */
  noteFailure(act: OperatorAct, maxAnHour: number): Promise<void>
  /** The email of a link that can be used. */
  linkEmail(tokenHash: Buffer, at: Date): Promise<string | null>
  /** Sets the password by a link, once. @returns the email; null for an unknown or expired link */
  useLink(tokenHash: Buffer, passwordHash: string, act: OperatorAct): Promise<string | null>
  /** False if the password has changed since it was compared. */
  beginStep(step: {
    ticketHash: Buffer
    operator: KnownOperator
    at: Date
    expiresAt: Date
  }): Promise<boolean>
  /** The operator of a ticket; counts a try. Null if the step has expired or has no tries left. */
  step(ticketHash: Buffer, at: Date, maxTries: number): Promise<OperatorInStep | null>
  /** False for an operator who has an app. */
  keepSecret(operatorUid: string, sealed: Buffer): Promise<boolean>
  /** False if the code was used before, or another call has completed the sign-in. */
  signIn(signIn: OperatorSignIn, act: OperatorAct): Promise<boolean>
  /** From where the operator has signed in since a moment. */
  signInAddresses(email: string, since: Date): Promise<string[]>
  /** The session of a token. Its idle time restarts; at most once a minute. */
  sessionByToken(tokenHash: Buffer, at: Date, idleSeconds: number): Promise<OperatorSession | null>
  endSession(sessionUid: string, act: OperatorAct): Promise<void>
  /** Null ends the notice. */
  setNotice(
    notice: { uid: string; text: string; level: string; until: Date } | null,
    act: OperatorAct,
  ): Promise<void>
  /** Null takes changes again. */
  setReadOnly(readOnly: { since: Date; until: Date | null } | null, act: OperatorAct): Promise<void>
  runJob(name: string, act: OperatorAct): Promise<'started' | 'running' | 'unknown'>
  jobs(at: Date): Promise<JobOfServer[]>
  clients(list: ClientListRequest, at: Date): Promise<OperatedClientRow[]>
  totals(at: Date): Promise<Totals>
  versions(at: Date): Promise<{ version: string | null; devices: number; online: number }[]>
  queues(at: Date): Promise<QueueRow[]>
  servers(at: Date): Promise<ServerRow[]>
  database(): Promise<DatabaseRow>
  planRequests(): Promise<(Omit<PlanRequest, 'client'> & { clientName: string })[]>
  audit(page: { page: number; size: number }): Promise<AuditRow[]>
}

export interface QueueRow {
  name: string
  waiting: number
  oldestAt: string | null
}

/** The entry of an act, as the database's functions take it. */
export const entryOf = (act: OperatorAct) => JSON.stringify({ ...act, at: act.at.toISOString() })

const STEP_ENDED = 'FC002'
const isStepEnded = (error: unknown) => error instanceof Error && 'code' in error && error.code === STEP_ENDED

const skipped = ({ page, size }: { page: number; size: number }) => (page - 1) * size

/** The queries of the role `floorcast_operator`, which may execute these functions and read no table. */
export function openOperatorQueries(pool: Pool): OperatorQueries {
  const rowsOf = <Row>(name: string, ...values: unknown[]) => callFunction<Row>(pool, name, values)
  const one = async <Row>(name: string, ...values: unknown[]) =>
    (await rowsOf<Row>(name, ...values))[0] ?? null
  /** The answer of a function that returns one value. */
  const value = async <Value>(name: string, ...values: unknown[]) =>
    Object.values((await one<Record<string, Value>>(name, ...values)) ?? {})[0] ?? null
  const done = async (name: string, ...values: unknown[]) => void (await rowsOf(name, ...values))
  return {
    ...openSignIns({ one, value, done }),
    signInAddresses: async (email, since) =>
      (await rowsOf<{ address: string }>('operator_sign_in_addresses', email, since)).map(
        ({ address }) => address,
      ),
    setNotice: (notice, act) => {
      const { uid = null, text = null, level = null, until = null } = notice ?? {}
      return done('operator_set_notice', uid, text, level, until, entryOf(act))
    },
    setReadOnly: (readOnly, act) =>
      done('operator_set_read_only', readOnly?.since ?? null, readOnly?.until ?? null, entryOf(act)),
    runJob: async (name, act) =>
      (await value<'started' | 'running' | 'unknown'>('operator_run_job', name, entryOf(act))) ?? 'unknown',
    jobs: at => rowsOf('operator_jobs', at),
    clients: (list, at) =>
      rowsOf('operator_clients', list.search, list.sort, list.dir === 'desc', list.size, skipped(list), at),
    totals: async at => rowOf(await one<Totals>('operator_totals', at)),
    versions: at => rowsOf('operator_versions', at),
    queues: async at =>
      (
        await Promise.all([
          rowsOf<QueueRow>('operator_queues', at),
          rowsOf<QueueRow>('operator_failed_mails'),
        ])
      ).flat(),
    servers: at => rowsOf('operator_servers', at),
    database: async () => rowOf(await one<DatabaseRow>('operator_database')),
    planRequests: () => rowsOf('operator_plan_requests'),
    audit: page => rowsOf('operator_list_audit', page.size, skipped(page)),
  }
}

function rowOf<Row>(row: Row | null): Row {
  if (!row) throw new Error('PostgreSQL did not answer')
  return row
}

interface Calls {
  one: <Row>(name: string, ...values: unknown[]) => Promise<Row | null>
  value: <Value>(name: string, ...values: unknown[]) => Promise<Value | null>
  done: (name: string, ...values: unknown[]) => Promise<void>
}

type SignIns = Pick<
  OperatorQueries,
  | 'byEmail'
  | 'noteFailure'
  | 'linkEmail'
  | 'useLink'
  | 'beginStep'
  | 'step'
  | 'keepSecret'
  | 'signIn'
  | 'sessionByToken'
  | 'endSession'
>

const openSignIns = ({ one, value, done }: Calls): SignIns => ({
  byEmail: email => one<KnownOperator>('operator_by_email', email),
  noteFailure: (act, maxAnHour) => done('operator_note_failure', entryOf(act), maxAnHour),
  linkEmail: (tokenHash, at) => value<string>('operator_link_email', tokenHash, at),
  useLink: (tokenHash, passwordHash, act) =>
    value<string>('operator_use_link', tokenHash, passwordHash, entryOf(act)),
  beginStep: async ({ ticketHash, operator, at, expiresAt }) => {
    const { uid, passwordHash } = operator
    return (
      (await value<boolean>('operator_begin_step', ticketHash, uid, passwordHash, at, expiresAt)) === true
    )
  },
  step: (ticketHash, at, maxTries) => one<OperatorInStep>('operator_step', ticketHash, at, maxTries),
  keepSecret: async (operatorUid, sealed) =>
    (await value<boolean>('operator_keep_secret', operatorUid, sealed)) === true,
  signIn: async (s, act) => {
    const session = [s.sessionUid, s.tokenHash, s.idleExpiresAt, s.expiresAt]
    const values = [s.ticketHash, s.operatorUid, s.step, s.confirmedSecret, ...session, entryOf(act)]
    const done = await value<boolean>('operator_sign_in', ...values).catch((error: unknown) => {
      if (isStepEnded(error)) return false
      throw error
    })
    return done === true
  },
  sessionByToken: (tokenHash, at, idleSeconds) =>
    one<OperatorSession>('operator_session', tokenHash, at, idleSeconds),
  endSession: (sessionUid, act) => done('operator_end_session', sessionUid, entryOf(act)),
})
