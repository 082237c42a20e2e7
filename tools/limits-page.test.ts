import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemStatuses } from '@floorcast/contract/problem-codes.ts'
import { expect, it } from 'vitest'
import { ownRoot } from './source-files.ts'

/*
 * docs/operate/limits.md says what the code has. A row here has the limit as the page says it, and where it comes from: a file below apps/server/src
 * and what stands in it. Who changes a limit changes all three.
 */

const read = (file: string) => readFileSync(join(ownRoot, file), 'utf8')
const page = read('docs/operate/limits.md')

const HEAVY = 'platform/http/admit/heavy-calls.ts'
const ADMISSION = 'platform/http/admit/admission.ts'
const CONNECTIONS = 'platform/http/receive/connection-limits.ts'
const POOLS = 'platform/database/database.ts'
const MAIL = 'features/mail/mail.ts'
const MAIL_NUMBERS = 'anHour: 3, aDay: 10, waitingAClient: 500, waitingStrangers: 2000'

/** The limit as the page says it; then a file and what it has, in turns. */
const sources: Record<string, [limit: string, ...places: string[]]> = {
  'sign-ins of an address': [
    '60 a minute',
    'features/auth/sign-in-limits-routes.ts',
    'signInsByAddress: { max: 60, windowSeconds: MINUTE,',
  ],
  'wrong passwords of an account from an address': [
    '10 in five minutes',
    'features/auth/sign-in-limits-routes.ts',
    'guessesOfAccount: { max: 10, windowSeconds: 5 * MINUTE }',
  ],
  'wrong codes of a second factor for a ticket': ['5', 'features/auth/sign-in-step.ts', 'maxTries: 5 }'],
  'wrong codes of a second factor of a user': [
    '10 in half an hour from an address, 20 an hour',
    'features/auth/sign-in-limits-routes.ts',
    'wrongCodesOfNetwork: { max: 10, windowSeconds: 30 * MINUTE }',
    'features/auth/sign-in-limits-routes.ts',
    'wrongCodesOfUser: { max: 20, windowSeconds: 60 * MINUTE }',
  ],
  "changes that ask for the user's own password": [
    '30 in ten minutes, with 10 wrong passwords',
    'features/auth/own-password-routes.ts',
    'wrongPasswordsOfUser: { max: 10, windowSeconds: 10 * MINUTE }',
    'features/auth/own-password-routes.ts',
    'max: 30,\n    windowSeconds: 10 * MINUTE',
  ],
  'registrations of an address': [
    '30 in ten minutes',
    'features/auth/auth-routes.ts',
    'registerByAddress: { max: 30, windowSeconds: 10 * MINUTE,',
  ],
  'uses and readings of links of an address': [
    '60 a minute, each',
    'features/auth/mailed-links-routes.ts',
    'linksByAddress: { max: 60, windowSeconds: MINUTE,',
    'features/tenants/users-routes.ts',
    'max: 60,\n    windowSeconds: MINUTE',
  ],
  'invitations of a client': [
    '100 an hour',
    'features/tenants/users-routes.ts',
    'max: 100,\n    windowSeconds: 60 * MINUTE',
  ],
  "changes of a user's password": [
    '10 in five minutes',
    'features/tenants/users-routes.ts',
    'max: 10,\n    windowSeconds: 5 * MINUTE',
  ],
  'mails to an address that a network causes': ['3 of a kind an hour, 10 a day', MAIL, MAIL_NUMBERS],
  'requests for mails of an address': [
    '30 an hour',
    'features/auth/mailed-links-routes.ts',
    'mailsByAddress: { max: 30, windowSeconds: 60 * MINUTE,',
  ],
  'mails for a forgotten password': ['10 a day', 'features/mail/mail-queue.ts', 'MAX_OF_STRANGERS = 10\n'],
  'invitations and resets by admins to an address': [
    '3 of a kind an hour, 10 a day, for an admin',
    MAIL,
    MAIL_NUMBERS,
  ],
  "mails to the operator about a client's requests": ['3 an hour, 10 a day', MAIL, MAIL_NUMBERS],
  'tickets of a session': [
    '600 in ten minutes',
    'features/auth/auth-routes.ts',
    'max: 600,\n    windowSeconds: 10 * MINUTE',
  ],
  'wrong license keys of an address': [
    '60 a minute',
    'features/device-api/device-api.ts',
    'failuresByAddress: { max: 60, windowSeconds: 60 }',
  ],
  'sessions that a license key opens': [
    '60 in ten minutes',
    'features/device-api/device-api.ts',
    'successesByKey: { max: 60, windowSeconds: 600 }',
  ],
  'questions of an address about unknown devices': [
    '60 a minute',
    'features/device-api/device-api.ts',
    'FAILURES_BY_ADDRESS = { max: 60, windowSeconds: 60 }',
  ],
  'failed sign-ins of an account in the audit': [
    '5 an hour',
    'features/auth/failed-sign-ins.ts',
    'MAX_AN_HOUR = 5\n',
  ],

  'connections of a server': [
    '`MAX_CONNECTIONS`; without it 20,000',
    'start-checks.ts',
    'DEFAULT_CONNECTIONS = 20_000\n',
  ],
  'connections before sign-in': [
    '8,192 in all, 2,048 of an address',
    CONNECTIONS,
    'maxUnknown: 8192,',
    CONNECTIONS,
    'maxUnknownOfAddress: 2048,',
  ],
  'connections of a user or device': ['64', CONNECTIONS, 'maxOfCaller: 64,'],
  'a body of a call that anyone may make': [
    '16 KiB',
    'platform/http/receive/json-body.ts',
    'SMALL_BODY_BYTES = 16_384\n',
  ],
  "a body of users' and devices' calls": [
    "1 MiB; a device's events 4 MiB",
    'platform/http/http.ts',
    'MAX_BODY_BYTES = 1024 * 1024\n',
    'features/ingest/ingest-routes.ts',
    'MAX_LIST_BYTES = 4 * 1024 * 1024\n',
  ],
  'an import': [
    'plan 16 MiB, tags 5 MiB, M3U 5 MiB and 10,000 entries, devices 8 MiB',
    'features/smart-playlists/smart-playlists-routes.ts',
    'IMPORT_BYTES = 16 * 1024 * 1024\n',
    'features/tags/tags-routes.ts',
    'IMPORT_BYTES = 5 * 1024 * 1024\n',
    'features/playlists/playlist-import.ts',
    'MAX_BYTES = 5 * 1024 * 1024\n',
    'features/playlists/m3u.ts',
    'MAX_ENTRIES = 10_000\n',
    'features/device-import/device-import-routes.ts',
    'BODY_BYTES = 2 ** 23\n',
  ],
  'a message on a channel': [
    '256 KiB',
    'features/device-channel/channel-upgrade.ts',
    'MAX_MESSAGE_BYTES = 256 * 1024\n',
  ],
  'time for a body': [
    '30 seconds; an upload brings 64 KiB a minute',
    CONNECTIONS,
    'bodyMs: 30_000,',
    CONNECTIONS,
    'progressBytes: 65_536,\n  progressMs: 60_000,',
  ],
  'time to read an answer': [
    'a minute of waiting for the reader, then 1 KiB a second',
    CONNECTIONS,
    'readPace: { graceMs: 60_000, bytesPerSecond: 1024 }',
  ],
  'time to read a report, proof, export': [
    'five minutes of waiting for the reader, then 64 KiB a second',
    CONNECTIONS,
    'downloadPace: { graceMs: 5 * 60_000, bytesPerSecond: 65_536 }',
  ],
  'large bodies of a user or device': [
    '8 at once',
    'platform/http/receive/json-body.ts',
    'MAX_LARGE_OF_CALLER = 8\n',
  ],
  'large bodies in memory': [
    'a sixteenth of the heap',
    'platform/http/receive/json-body.ts',
    'heap_size_limit / 16)',
  ],
  'terms of a search': ['10', 'platform/database/list-source.ts', 'MAX_TERMS = 10\n'],

  'imports, M3U, bulk changes, copies, exports': [
    '4 at once on a server, 1 of a client; 40 wait, 8 of a client, for ten seconds',
    HEAVY,
    'LIMITS: FairQueueLimits = { places: 4, maxWaiting: 40, maxWaitingAClient: 8 }',
    HEAVY,
    'MAX_WAIT_MS = 10_000\n',
  ],
  'plays of the archive in one report': [
    '8 million',
    'features/archive/archived-plays.ts',
    'MAX_SHOWN_ROWS = 8_000_000',
  ],
  reports: [
    '3 are made at once, 1 of a client; 6 of a client are open, made or still being read; 1 GiB',
    HEAVY,
    'REPORT_LIMITS: FairQueueLimits = { places: 3,',
    HEAVY,
    'MAX_OPEN_REPORTS = 6\n',
    'platform/http/answer/send-file.ts',
    'MAX_AHEAD_BYTES = 1024 ** 3\n',
  ],
  'downloads of devices': [
    '1,000 at once; a client has at most half; a tenth is kept',
    ADMISSION,
    'media: { places: 1000, minPlaces: 250, keptPlaces: 100,',
  ],
  uploads: [
    '200 at once; a client has at most half; a tenth is kept',
    ADMISSION,
    'upload: { places: 200, minPlaces: 200, keptPlaces: 20,',
  ],
  'parsing of large imports': [
    '2 processes with 512 MB, 5 s of processor time',
    'platform/http/receive/large-body.ts',
    'HEAP_MEGABYTES = 512\n',
    'platform/http/receive/large-body.ts',
    'MIN_DEADLINE_MS = 5000\n',
    'platform/http/receive/large-body.ts',
    'new FairQueue({ places: 2, longPlaces: 1 })',
  ],
  'statements in PostgreSQL': [
    '5 s alerts, 10 s sign-in and devices, 15 s reports of devices, 20 s users, 10 minutes maintenance, 30 minutes files',
    POOLS,
    "name: 'floorcast_alerts',\n    connections: 2,\n    // Alerts are rare: without kept connections each would wait until new ones are open.\n    keptConnections: 1,\n    statementTimeoutMs: 5 * SECOND_MS",
    POOLS,
    "name: 'floorcast_devices',\n    connections: 4,\n    connectionsAClient: 3,\n    statementTimeoutMs: 10 * SECOND_MS",
    POOLS,
    "ingest: { role: 'floorcast_ingest', connections: 6, statementTimeoutMs: 15 * SECOND_MS }",
    POOLS,
    'connectionsAClient: 5,\n    statementTimeoutMs: 20 * SECOND_MS',
    POOLS,
    "jobs: { role: 'floorcast_jobs', connections: 3, statementTimeoutMs: 600 * SECOND_MS }",
    POOLS,
    'pipeline: false,\n    statementTimeoutMs: 1800 * SECOND_MS',
  ],
  'connections to PostgreSQL': ['40 of a server', POOLS, '39 connections; the bus has one more'],
  'database connections of one client': [
    "5 of the 10 of users' calls, 3 of the 4 of devices' calls",
    POOLS,
    'connections: 10,',
    POOLS,
    'connections: 4,\n    connectionsAClient: 3,',
  ],
  'calls under load': ['12 times a minute', ADMISSION, 'HOLDS_OF_CLIENT = { max: 12, windowSeconds: 60 }'],
  'heartbeats of a device': [
    '2,000 at once, then one a second',
    'features/ingest/report-budget.ts',
    "{ name: 'heartbeats', max: 2000, perSecond: 1 }",
  ],
  'events of a device': [
    '50,000 at once, then one a second',
    'features/ingest/report-budget.ts',
    "{ name: 'events', max: 50_000, perSecond: 1 }",
  ],
  'mails that wait': ['500 of a client, 2,000 of strangers', MAIL, MAIL_NUMBERS],
}

/** Sentences of the page, outside of its tables. */
const sentences: [words: string, file: string, text: string][] = [
  [
    'A client makes 1,000 changes at once, then 10 a second',
    'platform/http/admit/rate-limits.ts',
    'CHANGE_LIMIT = { max: 1000, perSecond: 10 }',
  ],
  [
    '20,000 at once, then 20 a second',
    'platform/http/admit/rate-limits.ts',
    'ALERT_LIMIT = { max: 20_000, perSecond: 20 }',
  ],
  [
    'A user sends four files at once (429 `too-many-uploads`)',
    'features/uploads/upload-slots.ts',
    'MAX_UPLOADS_OF_A_USER = 4\n',
  ],
  ['a hundred unfinished uploads', 'features/uploads/resumable-uploads.ts', 'MAX_UNFINISHED = 100\n'],
  ['at most 17 million pixels', 'features/device-commands/device-file.ts', 'MAX_PIXELS = 17_000_000\n'],
  ['A command takes three files', 'features/device-commands/device-commands.ts', 'MAX_FILES = 3\n'],
  [
    '8 of a client and 40 in all wait up to 30 s',
    'features/device-commands/device-file.ts',
    'maxWaiting: 40, maxWaitingAClient: 8',
  ],
  ['a process with 256 MB of heap', 'features/media-probe/probe-file.ts', 'MAX_HEAP_MB = 256\n'],
  [
    'within 5 to 30 seconds',
    'features/media-probe/probe-file.ts',
    'MIN_DEADLINE_MS = 5000\nconst MAX_DEADLINE_MS = 30_000\n',
  ],
  ['PNG, JPEG, WebP', 'features/media-probe/probe-image.ts', 'MAX_PREVIEW_BYTES = 5 * 1024 * 1024\n'],
]

const TABLES = ['Sign-in and keys', 'Connections and bodies', 'Expensive work']
/** Without a number that one place has. */
const UNNUMBERED = [
  'sessions of a user',
  'probing of uploads, loudness, checks of plans',
  'heap of the server',
]

const rows = TABLES.flatMap(title => {
  const section = page.slice(page.indexOf(`## ${title}\n`)).split(/\n(?=## )/)[0] ?? ''
  return [...section.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\| ?([^|]*?) *\|$/gm)]
    .map(([, what = '', limit = '', answer = '']) => ({ what, limit, answer }))
    .filter(({ what }) => !/^(what|work|-+)$/.test(what))
})

const hasText = (file: string, text: string) => read(`apps/server/src/${file}`).includes(text)
const pairs = (places: readonly string[]) =>
  places.flatMap((file, at) => (at % 2 === 0 ? [{ file, text: places[at + 1] ?? '' }] : []))

it('docs/operate/limits.md has a source for each row, and each limit as the code has it', () => {
  expect(rows.map(({ what }) => what).toSorted()).toEqual([...Object.keys(sources), ...UNNUMBERED].toSorted())
  const faults = rows.flatMap(({ what, limit }) => {
    const [words = '', ...places] = sources[what] ?? []
    const gone = pairs(places).filter(({ file, text }) => !hasText(file, text))
    return [
      ...(limit.includes(words) ? [] : [{ what, limit, words }]),
      ...gone.map(place => ({ what, ...place })),
    ]
  })
  expect(faults).toEqual([])
  const untrue = sentences.filter(([words, file, text]) => !page.includes(words) || !hasText(file, text))
  expect(untrue).toEqual([])
})

it('docs/operate/limits.md names answers that the server gives', () => {
  const named = rows.flatMap(({ answer }) => [...answer.matchAll(/(\d{3}) `([\w-]+)`/g)])
  expect(named.length).toBeGreaterThan(20)
  const isGiven = (status: string, code: string) =>
    new Map(Object.entries(problemStatuses)).get(code) === Number(status)
  expect(named.filter(([, status = '', code = '']) => !isGiven(status, code)).map(([text]) => text)).toEqual(
    [],
  )
})
