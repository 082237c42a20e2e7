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
  /** Its ROLE: `all`, `api` or `stream`; null like the version. */
  role: z.string().nullable(),
  /** When its program started; null like the version. */
  startedAt: Instant.nullable(),
})

/** How a run ended; `skipped`: another server or command was at it. */
export const JobOutcome = z.enum(['done', 'failed', 'skipped'])
export type JobOutcome = z.infer<typeof JobOutcome>

/** A job that servers do by themselves. */
export const JobName = z.enum(['maintenance', 'samples', 'events', 'backup', 'archive'])
export type JobName = z.infer<typeof JobName>

const JobOfServer = z.object({
  /** The job's. */
  name: z.string(),
  /** The server's name. */
  server: z.string(),
  /** The newest run; null: none yet. */
  startedAt: Instant.nullable(),
  /** Null: the newest run has not ended. */
  endedAt: Instant.nullable(),
  /** How the newest run that ended did. */
  outcome: JobOutcome.nullable(),
  /** When it runs next, or looks whether it has to. */
  nextAt: Instant.nullable(),
  /** False too if its server has not renewed it for two minutes. */
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
  /** Counts over all clients. */ totals: z.object({
    /** Also those whose subscription has ended. */ clients: z.int(),
    /** Those that are not in a recycle bin. */ devices: z.int(),
    /** With a heartbeat in the hour before the sample. */ online: z.int(),
    /** Online, and playing nothing. */
    silent: z.int(),
    /** Reported once, and not for an hour. */
    down: z.int(),
    /** Without any heartbeat so far. */ never: z.int(),
    /** The minute in which devices were counted; null: not within ten minutes. */
    sampledAt: Instant.nullable(),
  }),
  /** Those with a sample in the last day. */ servers: z.array(OperatedServer),
  /** PostgreSQL, up to half a minute old. */ database: z.object({
    /** PostgreSQL's version. */ version: z.string(),
    sizeBytes: Bytes,
    /** The connections of all servers and programs. */
    connections: z.object({
      /** Those to this database now. */ used: z.int(),
      /** PostgreSQL's `max_connections`. */ limit: z.int(),
    }),
    /** The last daily maintenance that ended, and the clients whose part failed. */
    maintainedAt: Instant.nullable(),
    /** The clients whose part of that maintenance failed. */
    failures: z.int(),
  }),
  /** Each job on each server that has it. */ jobs: z.array(JobOfServer),
  /** What waits, in this order. */
  queues: z.array(
    z.object({
      name: QueueName,
      /** How many wait. */ waiting: z.int(),
      /** Since when the first one waits; null: none. */ oldestAt: Instant.nullable(),
    }),
  ),
  /** Devices by the version of their player program, up to a minute old; null: it says none. */
  agents: z.array(
    z.object({
      /** Null: they have told none. */ version: z.string().nullable(),
      /** How many have reported it. */ devices: z.int(),
      /** Those with a heartbeat in the last hour. */ online: z.int(),
    }),
  ),
  /** The backups of the server that answers. */ backup: z.object({
    /** False: BACKUP_TARGET is not set on the server that answers. */
    isScheduled: z.boolean(),
    /** BACKUP_TARGET has held backups, and holds none now: its disk is not mounted. */
    isTargetMissing: z.boolean(),
    /** The time in its name; null: none. */ newestAt: Instant.nullable(),
    /** How many the target holds. */ count: z.int(),
  }),
  /** The notice, and whether users may change things. */ state: InstallationState,
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
  /** The client's. */ name: z.string(),
  /** Its key. */ plan: z.string(),
  subscriptionExpiresAt: Instant,
  createdAt: Instant,
  /** Of any of its users; null: never, or before this version. */
  lastSignInAt: Instant.nullable(),
  /** Those that are not in the recycle bin, and how many the plan allows. */
  devices: z.object({
    /** How many there are. */ used: z.int(),
    /** How many the plan allows. */ limit: z.int(),
  }),
  /** Up to two minutes old, like the next two. */
  online: z.int(),
  /** Online, and playing nothing. */ silent: z.int(),
  /** Reported once, and not for an hour. */ down: z.int(),
  /** Every kept file, also of the recycle bin, running uploads and updates. */
  mediaBytes: z.object({ used: Bytes, limit: Bytes }),
  /** Plays, device logs and heartbeats. */
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
  /** The client's name. */ client: z.string(),
  /** Of the user who asks, or of an admin if that user is gone. */
  email: z.string().nullable(),
  /** The plan that it asks for. */ planKey: z.string(),
  /** The plan that it has. */ currentKey: z.string(),
  subscriptionExpiresAt: Instant,
  /** Those that are not in the recycle bin. */ devices: z.int(),
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
  params: z.object({ /** Which job. */ name: JobName }),
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
  body: z.object({ /** Up to 500 characters. */ text: NoticeText, level: NoticeLevel, until: Instant }),
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
  body: z.object({ /** Null: until it is ended by hand. */ until: Instant.nullable() }),
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
  /** What was done. */ action: z.enum(operatorActions),
  /** A job, the text of a notice, the end of 'read only', the email of an operator. */
  subject: z.string(),
  /** The network address; null for a command on the machine. */ address: z.string().nullable(),
})
export type OperatorEntry = z.infer<typeof OperatorEntry>

export const listOperatorAudit = endpoint({
  path: '/api/v2/operator/audit',
  summary: 'What operators did, newest first.',
  access: byOperator,
  query: z.object({
    /** Which page, from 1. */ page: queryInt(1, 1_000_000).default(1),
    /** Entries of a page, at most 200. */ size: queryInt(1, 200).default(10),
  }),
  answer: listOf(OperatorEntry),
})
