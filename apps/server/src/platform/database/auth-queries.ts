import type { Role, Rights } from '@floorcast/contract/endpoint.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import type { NoticeLevel } from '@floorcast/contract/installation.ts'
import type { Pool } from 'pg'
import { withAdvisoryLock } from './advisory-lock.ts'
import { againWhenGivenUp } from './database-errors.ts'
import { Batcher } from '../lib/batcher.ts'

/** A user who signs in, with the hash of the password. */
export interface AuthUser {
  uid: string
  clientId: string
  email: string
  passwordHash: string
  role: Role
  rights: Rights
  firstName: string
  lastName: string
  linkedDeviceUid: string | null
  subscriptionExpiresAt: string
}

/** The state of a valid session, on which its connections depend. */
export interface SessionState {
  sessionUid: string
  role: Role
  rights: Rights
  linkedDeviceUid: string | null
}

/** A user's passkey, with what verifies its answers. */
export interface AuthPasskey extends AuthUser {
  passkeyUid: string
  publicKey: Buffer
  counter: number
}

/** A valid session and its user. */
export interface AuthSession extends Omit<AuthUser, 'passwordHash'> {
  sessionUid: string
  expiresAt: string
}

/** A public key of a client's proofs of play; null in each field of the key if the client has none. */
export interface AuthProofKey {
  clientName: string
  keyId: string | null
  publicKey: Buffer
  createdAt: string
  retiredAt: string | null
  compromisedSince: string | null
}

export interface AuthDevice {
  uid: string
  clientId: string
  kind: Kind
  name: string
  groupUid: string | null
  /** The device's active session; null if it never had one. */
  reporterUid: string | null
}

export interface Registration {
  clientUid: string
  clientName: string
  planKey: string
  subscriptionExpiresAt: Date
  userUid: string
  email: string
  passwordHash: string
  firstName: string
  lastName: string
  at: Date
}

/** A player that shows a license key, with the hash of its device's new token. */
export interface LicenseUse {
  licenseKey: string
  boxUid: string
  tokenHash: Buffer
  model: string
  /** The start of the player's program; null for players of former releases. */
  runUid: string | null
  /** The session that this start of its program had. */
  formerSessionUid: string | null
}

export type LicenseBinding =
  | { outcome: 'bound'; deviceUid: string; clientId: string }
  /** Another session has replaced the former one. */
  | { outcome: 'replaced' }
  | { outcome: 'taken' }
  | { outcome: 'unknown' }

/** What holds for all users at once, as the database has it. */
export interface StoredState {
  readOnlySince: string | null
  readOnlyUntil: string | null
  noticeUid: string | null
  noticeText: string | null
  noticeLevel: NoticeLevel | null
  noticeUntil: string | null
}

/** The load and the data disk of a server at a moment. */
export interface ServerSample {
  server: string
  at: Date
  /** The averages over 1, 5 and 15 minutes. */
  loadAverages: readonly [number, number, number]
  freeBytes: number
  totalBytes: number
}

/** A call with the token of a session. */
export interface SessionUse {
  at: Date
  /** The time without a call after which the session ends. */
  idleSeconds: number
  /** The caller's network address. */
  address: string
}

/** The queries that need no client. Tokens and tickets are passed as SHA-256 hashes. */
export interface AuthQueries {
  /** True if the database has any client. */
  hasClients(): Promise<boolean>
  /** The user who signs in with the email; never one who has not accepted the invitation. */
  userByEmail(email: string): Promise<AuthUser | null>
  /** The session of a token that is neither revoked nor expired. Its idle time restarts; at most once a minute. */
  sessionByToken(tokenHash: Buffer, use: SessionUse): Promise<AuthSession | null>
  /** The session that made a ticket for `path`. A one-use ticket is used up. */
  redeemTicket(ticketHash: Buffer, path: string, at: Date): Promise<AuthSession | null>
  /** The states of those of the sessions that are valid at `at`. */
  sessionStates(sessionUids: readonly string[], at: Date): Promise<SessionState[]>
  /** Adds a client and its first user, an admin. False if the email is taken. */
  register(registration: Registration): Promise<boolean>
  /** The email of a one-time link's user; null if the link is unknown or expired. */
  linkEmail(tokenHash: Buffer, at: Date): Promise<string | null>
  /** The uid of a one-time link's user; null if the link is unknown or expired. */
  linkUser(tokenHash: Buffer, at: Date): Promise<string | null>
  passkey(credentialId: string): Promise<AuthPasskey | null>
  /** The public keys of a client's proofs, the newest first; none if there is no such client. */
  proofKeys(clientId: string): Promise<AuthProofKey[]>
  /** The user of a sign-in's first step, by its ticket; counts a try. Null if the step has expired or has no tries left. */
  signInStep(ticketHash: Buffer, at: Date, maxTries: number): Promise<AuthUser | null>
  /**
   * Sets the password of a one-time link's user.
   * @returns the user's email; null if the link is unknown or expired
   * @throws a unique violation of `users_email` if an invited user has joined another client since
   */
  useLink(tokenHash: Buffer, passwordHash: string, at: Date): Promise<string | null>
  /**
   * Binds license keys to players and gives their devices tokens, in one transaction. The same player may bind again; its
   * former token ends. @returns an outcome for each, in order
   */
  bindLicenses(uses: readonly LicenseUse[], at: Date): Promise<LicenseBinding[]>
  /** Null if there is no such device. */
  serverProof(deviceUid: string): Promise<ServerProof | null>
  deviceByToken(tokenHash: Buffer): Promise<AuthDevice | null>
  /** What holds for all users at once. */
  installationState(): Promise<StoredState | null>
  /** The linked device of a streamer's valid session, if this is the device's active session. */
  deviceByStreamer(tokenHash: Buffer, reporterUid: string, use: SessionUse): Promise<AuthDevice | null>
}

const camelNames = new Map<string, string>()

function camel(column: string): string {
  const known = camelNames.get(column)
  if (known !== undefined) return known
  const name = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  camelNames.set(column, name)
  return name
}

/** Calls a function of the database. @returns its rows, with the columns' names in camelCase */
export async function callFunction<Row>(pool: Pool, name: string, values: unknown[]): Promise<Row[]> {
  const places = values.map((_, index) => `$${index + 1}`).join(', ')
  const { rows } = await againWhenGivenUp(() =>
    pool.query<Record<string, unknown>>({ name, text: `select * from ${name}(${places})`, values }),
  )
  return rows.map(
    row => Object.fromEntries(Object.entries(row).map(([key, value]) => [camel(key), value])) as Row,
  )
}

/** Looks up tokens of devices in batches: there are many. */
function batchDeviceLookups(pool: Pool): Batcher<Buffer, AuthDevice | null> {
  const find = async (hashes: Buffer[]) => {
    const rows = await callFunction<AuthDevice & { tokenHash: Buffer }>(pool, 'auth_devices_by_tokens', [
      hashes,
    ])
    const found = new Map(rows.map(({ tokenHash, ...device }) => [tokenHash.toString('hex'), device]))
    return hashes.map(hash => found.get(hash.toString('hex')) ?? null)
  }
  return new Batcher(find, { maxWaitMs: 0, maxBatch: 1000, concurrency: 1, mayBeItemsFault: () => false })
}

/** The bindings in the order in which they were asked. */
const inOrder = (rows: readonly (LicenseBinding & { n: number })[]): LicenseBinding[] =>
  rows
    .toSorted((a, b) => a.n - b.n)
    .map(row => {
      const { n: _, ...binding } = row
      return binding
    })

/** The queries of the role `floorcast_auth`, which may execute these functions and read no table. */
export function openAuthQueries(pool: Pool): AuthQueries {
  const devices = batchDeviceLookups(pool)
  const one = async <Row>(name: string, ...values: unknown[]) =>
    (await callFunction<Row>(pool, name, values))[0] ?? null
  /** The answer of a function that returns a text. */
  const text = async (name: string, ...values: unknown[]) =>
    Object.values((await one<Record<string, string | null>>(name, ...values)) ?? {})[0] ?? null
  return {
    hasClients: async () =>
      (await one<{ authHasClients: boolean }>('auth_has_clients'))?.authHasClients === true,
    userByEmail: email => one<AuthUser>('auth_user_by_email', email),
    sessionByToken: (tokenHash, { at, idleSeconds, address }) =>
      one<AuthSession>('auth_session_by_token', tokenHash, at, idleSeconds, address),
    redeemTicket: (ticketHash, path, at) => one<AuthSession>('auth_redeem_ticket', ticketHash, path, at),
    sessionStates: (sessionUids, at) =>
      callFunction<SessionState>(pool, 'auth_session_states', [sessionUids, at]),
    register: async r => {
      const row = await one<{ authRegister: boolean }>(
        'auth_register',
        r.clientUid,
        r.clientName,
        r.planKey,
        r.subscriptionExpiresAt,
        r.userUid,
        r.email,
        r.passwordHash,
        r.firstName,
        r.lastName,
        r.at,
      )
      return row?.authRegister === true
    },
    linkEmail: (tokenHash, at) => text('auth_link_email', tokenHash, at),
    linkUser: (tokenHash, at) => text('auth_link_user', tokenHash, at),
    passkey: credentialId => one<AuthPasskey>('auth_passkey', credentialId),
    proofKeys: clientId => callFunction<AuthProofKey>(pool, 'auth_proof_keys', [clientId]),
    signInStep: (ticketHash, at, maxTries) => one<AuthUser>('auth_sign_in_step', ticketHash, at, maxTries),
    useLink: (tokenHash, passwordHash, at) => text('auth_use_link', tokenHash, passwordHash, at),
    bindLicenses: async (uses, at) => {
      const rows = await callFunction<LicenseBinding & { n: number }>(pool, 'auth_bind_licenses', [
        uses.map(({ licenseKey }) => licenseKey),
        uses.map(({ boxUid }) => boxUid),
        uses.map(({ tokenHash }) => tokenHash),
        uses.map(({ model }) => model),
        uses.map(({ runUid }) => runUid),
        uses.map(({ formerSessionUid }) => formerSessionUid),
        at,
      ])
      return inOrder(rows)
    },
    deviceByStreamer: (tokenHash, reporterUid, { at, idleSeconds, address }) =>
      one<AuthDevice>('auth_device_by_streamer', tokenHash, reporterUid, at, idleSeconds, address),
    serverProof: deviceUid => one<ServerProof>('auth_server_proof', deviceUid),
    deviceByToken: tokenHash => devices.add(tokenHash),
    installationState: () => one<StoredState>('auth_installation_state'),
  }
}

/** By what a server proves to a device that it is the device's own. */
export interface ServerProof {
  /** The SHA-256 of the license key. */
  licenseHash: Buffer
  clientId: string
  /** The text of the client's signed address; null: none is published. */
  addressStatement: string | null
}

/** The queries of the jobs' role across clients. */
export interface MaintenanceDatabase {
  /** The ids of all clients. */
  clientIds(): Promise<string[]>
  /** The ids of the clients with plays of former versions that the roll-ups do not count yet. */
  uncountedClientIds(): Promise<string[]>
  /** The ids of the clients whose statistics were not looked at on this day. */
  uncheckedClientIds(today: string): Promise<string[]>
  /** The clients with files whose loudness or tags wait for a server. */
  clientsWithMediaWork(asked: { kind: 'loudness' | 'tags'; at: Date; maxTries: number }): Promise<string[]>
  /** Day partitions that are older than what any client keeps, the oldest first. */
  oldPartitions(today: string): Promise<string[]>
  /**
   * Drops a partition of `oldPartitions`. @returns false if it has rows of the last 400 days
   * @throws an error for which `isLockTimeout` is true if somebody reads the table for long
   */
  dropPartition(name: string, today: string): Promise<boolean>
  /** Partitions of heartbeats whose rows are folded and vacuumed, and whose index still takes room. */
  foldedPartitions(today: string): Promise<string[]>
  /** Frees the pages of a partition of `foldedPartitions`. @returns false if it has rows @throws as `dropPartition` */
  clearPartition(name: string, today: string): Promise<boolean>
  /** Creates missing day partitions; days are YYYY-MM-DD, inclusive. */
  makeDayPartitions(fromDay: string, throughDay: string): Promise<number>
  /** Counts the devices of all clients by connectivity, as of a full minute, unless another server has done so. */
  sampleConnectivity(minute: Date): Promise<number>
  /** Adds to the samples of a minute how many online devices of each client are silent; no others are. */
  noteSilent(minute: Date, clients: readonly { clientId: string; silent: number }[]): Promise<void>
  /** The same for the devices of each group. */
  sampleGroups(minute: Date): Promise<number>
  addServerSample(sample: ServerSample): Promise<void>
  /** Deletes samples before `until`, and those before `thin` that are not of a tenth minute. @returns how many */
  thinSamples(until: Date, thin: Date): Promise<number>
  /** Deletes the samples of groups before `until`. @returns how many */
  purgeGroupSamples(until: Date): Promise<number>
  /** Records a daily maintenance that ended, with the number of clients whose part failed. */
  noteMaintenance(run: { beganAt: Date; endedAt: Date; failures: number }): Promise<void>
  /** Runs work that one server at a time does; false if another server does it. */
  withAdvisoryLock(name: string, work: () => Promise<void>): Promise<boolean>
  /** Changes a subscription for an operator and closes the client's request for a plan. False if no user has this email. */
  setSubscription(email: string, planKey: string, until: Date, at: Date): Promise<boolean>
  /** Removes a user's second factor for an operator and records it. False if no user has this email. */
  removeSecondFactor(email: string, entryUid: string, at: Date): Promise<boolean>
  /** Adds an operator's one-time link for a user and records it in the client's audit. False if no user has this email. */
  makeLink(link: {
    email: string
    tokenHash: Buffer
    entryUid: string
    at: Date
    expiresAt: Date
  }): Promise<boolean>
}

export function openMaintenanceDatabase(pool: Pool): MaintenanceDatabase {
  /** The answer of a function that returns texts. */
  const texts = async (name: string, ...values: unknown[]) =>
    (await callFunction<Record<string, string>>(pool, name, values)).flatMap(row => Object.values(row))
  /** The answer of a function that returns whether it did something. */
  const isDone = async (name: string, values: unknown[]) =>
    (await callFunction<Record<string, boolean>>(pool, name, values)).some(row => Object.values(row)[0])
  return {
    clientIds: () => texts('jobs_client_ids'),
    uncountedClientIds: () => texts('jobs_uncounted_client_ids'),
    uncheckedClientIds: today => texts('jobs_unchecked_client_ids', today),
    clientsWithMediaWork: ({ kind, at, maxTries }) =>
      texts('jobs_clients_with_media_work', kind, at, maxTries),
    oldPartitions: async today => {
      const rows = await callFunction<{ partitionName: string }>(pool, 'jobs_old_partitions', [today])
      return rows.map(row => row.partitionName)
    },
    dropPartition: (...values) => isDone('jobs_drop_partition', values),
    foldedPartitions: today => texts('jobs_folded_partitions', today),
    clearPartition: (...values) => isDone('jobs_clear_partition', values),
    makeDayPartitions: (fromDay, throughDay) => makeDayPartitions(pool, fromDay, throughDay),
    sampleConnectivity: async minute =>
      (await callFunction<{ jobsSampleConnectivity: number }>(pool, 'jobs_sample_connectivity', [minute]))[0]
        ?.jobsSampleConnectivity ?? 0,
    noteSilent: async (minute, clients) => {
      const values = [minute, clients.map(({ clientId }) => clientId), clients.map(({ silent }) => silent)]
      await callFunction(pool, 'jobs_note_silent', values)
    },
    sampleGroups: async minute =>
      (await callFunction<{ jobsSampleGroups: number }>(pool, 'jobs_sample_groups', [minute]))[0]
        ?.jobsSampleGroups ?? 0,
    addServerSample: async ({ server, at, loadAverages, freeBytes, totalBytes }) => {
      const values = [server, at, ...loadAverages, freeBytes, totalBytes]
      await callFunction(pool, 'jobs_add_server_sample', values)
    },
    thinSamples: async (until, thin) =>
      (await callFunction<{ jobsThinSamples: number }>(pool, 'jobs_thin_samples', [until, thin]))[0]
        ?.jobsThinSamples ?? 0,
    purgeGroupSamples: async until =>
      (await callFunction<{ jobsPurgeGroupSamples: number }>(pool, 'jobs_purge_group_samples', [until]))[0]
        ?.jobsPurgeGroupSamples ?? 0,
    noteMaintenance: async ({ beganAt, endedAt, failures }) => {
      await callFunction(pool, 'jobs_note_maintenance', [beganAt, endedAt, failures])
    },
    withAdvisoryLock: (name, work) => withAdvisoryLock(pool, name, work),
    setSubscription: async (...values) =>
      (await callFunction<{ jobsSetSubscription: boolean }>(pool, 'jobs_set_subscription', values))[0]
        ?.jobsSetSubscription === true,
    removeSecondFactor: (...values) => isDone('jobs_remove_second_factor', values),
    makeLink: ({ email, tokenHash, entryUid, at, expiresAt }) =>
      isDone('jobs_make_link', [email, tokenHash, entryUid, at, expiresAt]),
  }
}

/** Creates the missing day partitions of a range. @returns how many it created */
export async function makeDayPartitions(pool: Pool, fromDay: string, throughDay: string): Promise<number> {
  const rows = await callFunction<{ makeDayPartitions: number }>(pool, 'make_day_partitions', [
    fromDay,
    throughDay,
  ])
  return rows[0]?.makeDayPartitions ?? 0
}
