import {
  type openDeviceSession,
  type openStreamingSession as streamingSession,
  type proveServer,
} from '@floorcast/contract/device-protocol.ts'
import type { AnswerOf, BodyOf } from '@floorcast/contract/endpoint.ts'
import { parseAddressStatement, serverProofText } from '@floorcast/contract/server-address.ts'
import { createHmac } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Session } from '../../platform/auth/session.ts'
import { hashToken, makeToken } from '../../platform/auth/token.ts'
import type { LicenseBinding, LicenseUse, ServerProof } from '../../platform/database/auth-queries.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { againWhenGivenUp, isValueFault } from '../../platform/database/database-errors.ts'
import { notifyAll } from '../../platform/database/notify.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import { CountLimit, SharedCountLimit } from '../../platform/lib/count-limit.ts'
import { notFound, ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { addressOf } from '../../platform/settings/address-settings.ts'
import { type ActiveSession, readSessionStates, setActiveSessions } from './device-session-queries.ts'

export { readIdentity, readSessionStates } from './device-session-queries.ts'

/** A batch locks its devices' rows until its commit. */
const MAX_SESSIONS_PER_BATCH = 200

/**
 * Only failures count by address, on all servers together: a chain's ten thousand devices may stand behind one, and all come at once
 * when a server starts. Successes count by license key, on each server: a player that ends again and again must not open sessions
 * without end.
 */
const LIMITS = {
  failuresByAddress: { max: 60, windowSeconds: 60 },
  successesByKey: { max: 60, windowSeconds: 600 },
}

type SessionAnswer = AnswerOf<typeof openDeviceSession>

/** Opens sessions of devices. Those that come while others are being opened form a batch of two transactions. */
export interface DeviceSessions {
  /**
   * Opens a device's session: the first use of the key binds it to this player. Only the newest session reports for the
   * device. The token of the former session ends, so that two copies of one disk cannot both report: its channel, on any
   * server, gets `replaced` and is closed with 4001; without a channel its next call gets 401, and the session that it asks
   * for then 409.
   * @throws ProblemError 404 'license-unknown', 403 'license-bound' if the key is bound to another player, 409
   * 'session-replaced' for a player that was replaced since its start, 429
   */
  open(body: BodyOf<typeof openDeviceSession>, address: string): Promise<SessionAnswer>
}

export function openDeviceSessions(context: Context): DeviceSessions {
  const bind = new Batcher<LicenseUse, OpenedSession>(
    uses => againWhenGivenUp(() => bindAll(context, uses)),
    {
      maxWaitMs: 0,
      maxBatch: MAX_SESSIONS_PER_BATCH,
      concurrency: 1,
      mayBeItemsFault: isValueFault,
    },
  )
  const { database, now } = context
  const bounds = { ...LIMITS.failuresByAddress, name: 'license keys', now }
  const failures = new SharedCountLimit(database.counts, bounds)
  const successes = new CountLimit({ ...LIMITS.successesByKey, now })
  return {
    open: async ({ licenseKey, boxId, model, runId, formerSession }, address) => {
      const token = makeToken()
      const use = {
        licenseKey: licenseKey.trim().toUpperCase(),
        boxUid: boxId,
        tokenHash: hashToken(token),
        model,
        runUid: runId ?? null,
        formerSessionUid: formerSession ?? null,
      }
      await failures.check(address)
      successes.check(use.licenseKey)
      const binding = await bind.add(use)
      if (binding.outcome === 'bound') successes.add(use.licenseKey)
      else if (binding.outcome !== 'replaced') await failures.add(address)
      if (binding.outcome === 'unknown')
        throw new ProblemError('license-unknown', {
          detail:
            "No device has this license key. Copy the key or the install command from the device's card.",
        })
      if (binding.outcome === 'taken')
        throw new ProblemError('license-bound', {
          detail:
            "This license key belongs to another player. To move it to this one, choose 'New licence key' on the device's card and start with the new key.",
        })
      if (binding.outcome === 'replaced') throw sessionReplaced('Start this one again to let it report.')
      const { deviceUid, sessionUid, clientId } = binding
      return { token, playpointid: deviceUid, session: sessionUid, client: clientId }
    },
  }
}

const sessionReplaced = (advice: string) =>
  new ProblemError('session-replaced', {
    detail: `Another player reports for this device now. ${advice}`,
  })

/** Makes a streamer's page the active session of its linked device. @returns the session's uid */
export async function openStreamingSession(
  context: Context,
  session: Omit<ActiveSession, 'reporterUid'>,
): Promise<string> {
  const reporterUid = uuidV7()
  await takeOverSessions(context, [{ ...session, reporterUid }])
  return reporterUid
}

/**
 * Opens the session of a streamer's linked device, as a player opens its own: decision 220.
 * @throws ProblemError 404 without the device, 409 'session-replaced'
 */
export async function openSessionOfStreamer(
  context: Context,
  { clientId, linkedDeviceUid }: Session,
  { runId, formerSession }: BodyOf<typeof streamingSession>,
): Promise<Omit<AnswerOf<typeof streamingSession>, 'token'>> {
  const { reads } = context.database.devices.forClient(clientId)
  const deviceUid = linkedDeviceUid ?? ''
  const state =
    linkedDeviceUid === null ? undefined : (await readSessionStates(reads, [deviceUid])).get(deviceUid)
  if (!state) throw notFound()
  const { reporterUid, reporterRunUid } = state
  const isReplaced =
    formerSession !== undefined && (reporterUid ?? '') > formerSession && reporterRunUid !== runId
  if (isReplaced) throw sessionReplaced('Load this page again to let it report.')
  const session = await openStreamingSession(context, { deviceUid, clientId, runUid: runId })
  return { playpointid: deviceUid, session, formerRun: reporterRunUid ?? reporterUid }
}

type OpenedSession =
  | Exclude<LicenseBinding, { outcome: 'bound' }>
  | { outcome: 'bound'; deviceUid: string; sessionUid: string; clientId: string }

async function bindAll(context: Context, uses: readonly LicenseUse[]): Promise<OpenedSession[]> {
  const bindings = await context.database.auth.bindLicenses(uses, context.now())
  // When one device opens several sessions, the last one's token is valid, so it becomes the active one.
  const sessions = new Map<string, ActiveSession>()
  const opened = bindings.map((binding, index): OpenedSession => {
    if (binding.outcome !== 'bound') return binding
    const { deviceUid, clientId } = binding
    const sessionUid = uuidV7()
    const runUid = uses[index]?.runUid ?? null
    sessions.set(deviceUid, { deviceUid, clientId, reporterUid: sessionUid, runUid })
    return { outcome: 'bound', deviceUid, sessionUid, clientId }
  })
  if (sessions.size > 0) await takeOverSessions(context, [...sessions.values()])
  return opened
}

/** Makes sessions the active ones of their devices, and notifies the former ones on any server. */
export async function takeOverSessions(context: Context, sessions: readonly ActiveSession[]): Promise<void> {
  await context.database.ingest.write(async writes => {
    await setActiveSessions(writes, sessions)
    await notifyAll(
      writes,
      'reporter',
      sessions.map(({ deviceUid, reporterUid }) => [deviceUid, reporterUid]),
    )
  })
  context.database.ingest.notices.add(
    sessions.map(({ clientId, deviceUid: uid }) => ({ clientId, entity: 'device', uid })),
  )
}

/** In the place of a session's uid: the device's session has ended, and no other one has begun. */
const SESSION_ENDED = 'ended'

/** Closes the devices' channels on any server. To be called when their tokens end and no new sessions begin. */
export async function endDeviceSessions(writes: Writes, deviceUids: readonly string[]): Promise<void> {
  const notices = deviceUids.map(deviceUid => [deviceUid, SESSION_ENDED])
  await notifyAll(writes, 'reporter', notices)
}

/** The calling device. @throws ProblemError 404 if the path names another play point */
export function ownDevice<D extends { deviceUid: string }>(call: {
  device: D
  params: { playpointid: string }
}): D {
  if (call.params.playpointid.toLowerCase() !== call.device.deviceUid) throw notFound()
  return call.device
}

/** Only failures count: a chain's devices may stand behind one address, and all ask when their server has moved. */
const FAILURES_BY_ADDRESS = { max: 60, windowSeconds: 60 }
/** The log has one line for each wrong address, up to this number of addresses. */
const MAX_LOGGED_ADDRESSES = 20

/** Proves to devices that an address leads to their server: docs/decisions/0286. */
interface ServerProofs {
  /** @throws ProblemError 404 'license-unknown', 409 'other-address', 429 */
  prove(body: BodyOf<typeof proveServer>, address: string): Promise<AnswerOf<typeof proveServer>>
}

export function openServerProofs({ settings, database, log, now }: Context): ServerProofs {
  const bounds = { ...FAILURES_BY_ADDRESS, name: 'unknown devices', now }
  const failures = new SharedCountLimit(database.counts, bounds)
  const { publicUrl, streamUrl, otherStreamUrl } = settings
  const ownAddresses = [publicUrl, streamUrl, ...(otherStreamUrl === null ? [] : [otherStreamUrl])]
  const isOwn = (address: string, { clientId, addressStatement }: ServerProof) =>
    ownAddresses.some(own => addressOf(own, clientId) === address) ||
    parseAddressStatement(addressStatement ?? '')?.address === address
  const logged = new Set<string>()
  const refuseAddress = (address: string) => {
    if (!logged.has(address) && logged.size < MAX_LOGGED_ADDRESSES) {
      logged.add(address)
      log.warn({ address }, 'a device asks for the proof of an address that is not one of the settings')
    }
    return new ProblemError('other-address', {
      detail:
        "This address is neither STREAM_URL nor PUBLIC_URL nor OTHER_STREAM_URL of this server, nor the signed one of the device's client.",
    })
  }
  return {
    async prove(body, address) {
      await failures.check(address)
      const known = await database.auth.serverProof(body.playpointid)
      if (known === null) {
        await failures.add(address)
        throw new ProblemError('license-unknown')
      }
      if (!isOwn(body.address, known)) throw refuseAddress(body.address)
      return { proof: createHmac('sha256', known.licenseHash).update(serverProofText(body)).digest('hex') }
    },
  }
}
