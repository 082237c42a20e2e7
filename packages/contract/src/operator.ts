import { z } from 'zod'
import { byOperator, endpoint } from './endpoint.ts'
import { Bytes, Instant, ListQuery, listOf, queryInt, Uid } from './fields.ts'
import { Installation } from './dashboard.ts'
import { InstallationState, NoticeLevel } from './installation.ts'
import { Outcome } from './outcomes.ts'

/*
 * The page of the installation's operators: names and counts of clients, and nothing of what they store. Each act is in the operators'
 * own audit.
 */

const OperatedServer = Installation.shape.servers.element.extend({
  /** Null: a server of a version that does not say it. */
  version: z.string().nullable(),
  role: z.string().nullable(),
  startedAt: Instant.nullable(),
})

/** How a run ended; `skipped`: another server or command was at it. */
export const JobOutcome = z.enum(['done', 'failed', 'skipped'])
export type JobOutcome = z.infer<typeof JobOutcome>

export const JobName = z.enum(['maintenance', 'samples', 'backup', 'archive'])
export type JobName = z.infer<typeof JobName>

const JobOfServer = z.object({
  name: z.string(),
  server: z.string(),
  /** The newest run; null: none yet. */
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  /** How the newest run that ended did. */
  outcome: JobOutcome.nullable(),
  /** When it runs next, or looks whether it has to. */
  nextAt: Instant.nullable(),
  isRunning: z.boolean(),
})
export type JobOfServer = z.infer<typeof JobOfServer>

/** What waits: mails; those of a week that ended without being sent; files whose loudness is to be measured, commands to devices, days whose plays are to be counted. */
export const QueueName = z.enum([
  'mails',
  'mails-failed',
  'loudness',
  'media-failed',
  'commands',
  'statistics',
])
export type QueueName = z.infer<typeof QueueName>

export const OperatorOverview = z.object({
  asOf: Instant,
  /** The release and the commit of the server that answers. */
  version: z.string(),
  totals: z.object({
    clients: z.int(),
    devices: z.int(),
    online: z.int(),
    /** Online, and playing nothing. */
    silent: z.int(),
    /** Reported once, and not for an hour. */
    down: z.int(),
    never: z.int(),
    /** The minute in which devices were counted; null: not within ten minutes. */
    sampledAt: Instant.nullable(),
  }),
  servers: z.array(OperatedServer),
  database: z.object({
    version: z.string(),
    sizeBytes: Bytes,
    connections: z.object({ used: z.int(), limit: z.int() }),
    /** The last daily maintenance that ended, and the clients whose part failed. */
    maintainedAt: Instant.nullable(),
    failures: z.int(),
  }),
  jobs: z.array(JobOfServer),
  queues: z.array(z.object({ name: QueueName, waiting: z.int(), oldestAt: Instant.nullable() })),
  /** Devices by the version of their player program, up to a minute old; null: it says none. */
  agents: z.array(z.object({ version: z.string().nullable(), devices: z.int(), online: z.int() })),
  backup: z.object({
    /** False: BACKUP_TARGET is not set on the server that answers. */
    isScheduled: z.boolean(),
    /** BACKUP_TARGET has held backups, and holds none now: its disk is not mounted. */
    isTargetMissing: z.boolean(),
    newestAt: Instant.nullable(),
    count: z.int(),
  }),
  state: InstallationState,
})
export type OperatorOverview = z.infer<typeof OperatorOverview>

export const readOperatorOverview = endpoint({
  path: '/api/v2/operator/overview',
  summary:
    'The state of the installation: servers, database, jobs, queues, versions of agents, backup, notice.',
  access: byOperator,
  answer: OperatorOverview,
})

export const OperatedClient = z.object({
  uid: Uid,
  name: z.string(),
  plan: z.string(),
  subscriptionExpiresAt: Instant,
  createdAt: Instant,
  /** Of any of its users; null: never, or before this version. */
  lastSignInAt: Instant.nullable(),
  devices: z.object({ used: z.int(), limit: z.int() }),
  /** Up to two minutes old, like the next two. */
  online: z.int(),
  silent: z.int(),
  down: z.int(),
  mediaBytes: z.object({ used: Bytes, limit: Bytes }),
  statisticsBytes: z.object({ used: Bytes, limit: Bytes }),
})
export type OperatedClient = z.infer<typeof OperatedClient>

/** What clients are sorted by. */
export const ClientSort = z.enum([
  'name',
  'plan',
  'expires',
  'created',
  'lastSignIn',
  'devices',
  'online',
  'silent',
  'down',
])
export type ClientSort = z.infer<typeof ClientSort>

export const listClients = endpoint({
  path: '/api/v2/operator/clients',
  summary: 'The clients with plan and use, found by name or by the whole email of a user.',
  access: byOperator,
  query: ListQuery.extend({ sort: ClientSort.default('name') }),
  answer: listOf(OperatedClient),
})

export const PlanRequest = z.object({
  requestedAt: Instant,
  client: z.string(),
  /** Of the user who asks, or of an admin if that user is gone. */
  email: z.string().nullable(),
  planKey: z.string(),
  currentKey: z.string(),
  subscriptionExpiresAt: Instant,
  devices: z.int(),
})
export type PlanRequest = z.infer<typeof PlanRequest>

export const listPlanRequests = endpoint({
  path: '/api/v2/operator/requests',
  summary:
    'The open requests of clients for plans, the oldest first, at most 500. `npm run admin -- subscription` grants one.',
  access: byOperator,
  answer: z.array(PlanRequest),
})

export const runJob = endpoint({
  method: 'POST',
  path: '/api/v2/operator/jobs/{name}/run',
  summary:
    "Run a job now, on the server that has done it last. HTTP 409 'job-running' while some server is at it; 404 if no server has the job.",
  access: byOperator,
  params: z.object({ name: JobName }),
  answer: Outcome,
  outcomes: ['done'],
})

/** A text of any script in a few lines: no control characters but line feeds, no lone surrogates. */
const NoticeText = z
  .string()
  .normalize('NFC')
  .trim()
  .min(1, 'empty')
  .refine(text => [...text].length <= 500, 'too-long')
  .refine(text => /^[^\p{Cs}\p{Cc}]*$/u.test(text.replaceAll('\n', ' ')), 'special-characters')

export const setNotice = endpoint({
  path: '/api/v2/operator/notice',
  summary:
    'Show a notice to all users until a moment, in place of the former one. HTTP 422 at `until` if that is over, or more than a year ahead.',
  access: byOperator,
  body: z.object({ text: NoticeText, level: NoticeLevel, until: Instant }),
  answer: Outcome,
  outcomes: ['done'],
})

export const endNotice = endpoint({
  method: 'POST',
  path: '/api/v2/operator/notice/end',
  summary: 'Take the notice back, if there is one.',
  access: byOperator,
  answer: Outcome,
  outcomes: ['done'],
})

export const setReadOnly = endpoint({
  path: '/api/v2/operator/read-only',
  summary:
    "Refuse changes of users (HTTP 503 'read-only') until a moment, or with `until` null until it is ended. Devices, sign-ins, alerts and operators go on. HTTP 422 at `until` if that is over, or more than a year ahead.",
  access: byOperator,
  body: z.object({ until: Instant.nullable() }),
  answer: Outcome,
  outcomes: ['done'],
})

export const endReadOnly = endpoint({
  method: 'POST',
  path: '/api/v2/operator/read-only/end',
  summary: 'Take changes of users again.',
  access: byOperator,
  answer: Outcome,
  outcomes: ['done'],
})

/** What operators did. */
export const operatorActions = [
  'add-operator',
  'reset-operator',
  'lock-operator',
  'unlock-operator',
  'remove-operator',
  'set-password',
  'add-second-factor',
  'sign-in',
  'sign-in-failed',
  'second-factor-failed',
  'sign-out',
  'run-job',
  'set-notice',
  'end-notice',
  'set-read-only',
  'end-read-only',
] as const
export type OperatorAction = (typeof operatorActions)[number]

export const OperatorEntry = z.object({
  uid: Uid,
  at: Instant,
  /** Null: `npm run admin` on the server's machine. */
  email: z.string().nullable(),
  action: z.enum(operatorActions),
  /** A job, the text of a notice, the end of 'read only', the email of an operator. */
  subject: z.string(),
  address: z.string().nullable(),
})
export type OperatorEntry = z.infer<typeof OperatorEntry>

export const listOperatorAudit = endpoint({
  path: '/api/v2/operator/audit',
  summary: 'What operators did, newest first.',
  access: byOperator,
  query: z.object({ page: queryInt(1, 1_000_000).default(1), size: queryInt(1, 200).default(10) }),
  answer: listOf(OperatorEntry),
})
