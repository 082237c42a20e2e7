import type { OpenAlert } from '@floorcast/contract/alerts.ts'
import type { Heartbeat, HeartbeatAnswer } from '@floorcast/contract/device-protocol.ts'
import type { Context } from '../../context.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import { againWhenGivenUp, isValueFault } from '../../platform/database/database-errors.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { readOpenAlerts } from '../alerts/alerts.ts'
import { currentEtag } from '../manifests/manifests.ts'
import {
  readGroupUid,
  storeHeartbeats,
  type ReceivedHeartbeat,
  type StoredHeartbeat,
} from './heartbeat-queries.ts'

type Stored = Omit<StoredHeartbeat, 'deviceUid'>

export interface Heartbeats {
  /** Stores a heartbeat; resolves after its commit. @throws ProblemError 422 if a value cannot be stored */
  receive(device: DeviceIdentity, heartbeat: Heartbeat): Promise<HeartbeatAnswer>
  drain(): Promise<void>
}

/** Ingests heartbeats of HTTP and of channels. Those of a few milliseconds are one commit. */
export function openHeartbeats(context: Context): Heartbeats {
  const openAlerts = new OpenAlertCache(context)
  const commit = new Batcher<ReceivedHeartbeat, Stored>(
    received => againWhenGivenUp(() => storeBatch(context, received)),
    { maxWaitMs: 0, maxBatch: 500, concurrency: 1, mayBeItemsFault: isValueFault },
  )
  return {
    receive: async (device, heartbeat) => {
      const { clientId, deviceUid } = device
      const received = { uid: uuidV7(), clientId, deviceUid, receivedAt: context.now(), heartbeat }
      const { etag } = await commit.add(received).catch(refuse)
      const scope = context.database.devices.forClient(clientId)
      return {
        serverTime: context.now().toISOString(),
        manifestEtag: etag ?? (await currentEtag(scope, deviceUid, context.now())),
        alerts: await openAlerts.listFor(device),
      }
    },
    drain: () => {
      openAlerts.close()
      return commit.drain()
    },
  }
}

function refuse(cause: unknown): never {
  if (isValueFault(cause)) throw new ProblemError(422, 'wrong-fields', { detail: 'a value cannot be stored' })
  throw cause
}

async function storeBatch(context: Context, received: ReceivedHeartbeat[]): Promise<Stored[]> {
  const { ingest } = context.database
  await ingest.ensureDays(received.map(({ receivedAt }) => receivedAt.toISOString().slice(0, 10)))
  const stored = await storeHeartbeats(ingest.statements, received)
  const answers = new Map(stored.map(row => [row.deviceUid, row]))
  return received.map(({ deviceUid }) => answers.get(deviceUid) ?? { etag: null })
}

/** A list is read again after this time, in case the bus lost a notice. */
const MAX_AGE_MS = 60_000

interface CachedList {
  alerts: Promise<OpenAlert[]>
  readAtMs: number
}

/**
 * The open alerts of each client, for the answers to heartbeats. The first heartbeat reads a client's list; a notice on
 * the bus that an alert of the client began or ended, or a minute, makes the next heartbeat read it again.
 */
class OpenAlertCache {
  readonly #context: Context
  readonly #lists = new Map<string, CachedList>()
  readonly #stopListening: () => void

  constructor(context: Context) {
    this.#context = context
    this.#stopListening = context.bus.listen('alert', {
      heard: ([clientId = '']) => void this.#lists.delete(clientId),
      missed: () => this.#lists.clear(),
    })
  }

  /** The open alerts for a device, newest first. */
  async listFor({ clientId, deviceUid }: DeviceIdentity): Promise<HeartbeatAnswer['alerts']> {
    const alerts = await this.#read(clientId)
    const hasGroupAlert = alerts.some(({ target }) => target.kind === 'group')
    // A channel knows the device's group at its opening, so the current group is read if there is an alert of a group.
    const { reads } = this.#context.database.reports.forClient(clientId)
    const groupUid = hasGroupAlert ? await readGroupUid(reads, deviceUid) : null
    return alerts
      .filter(({ target }) => target.uid === null || target.uid === deviceUid || target.uid === groupUid)
      .map(({ uid, kind, beganAt }) => ({ uid, kind, beganAt }))
  }

  close(): void {
    this.#stopListening()
  }

  #read(clientId: string): Promise<OpenAlert[]> {
    const cached = this.#lists.get(clientId)
    if (cached && performance.now() - cached.readAtMs < MAX_AGE_MS) return cached.alerts
    const alerts = readOpenAlerts(this.#context.database.reports.forClient(clientId).reads)
    const list = { alerts, readAtMs: performance.now() }
    this.#lists.set(clientId, list)
    alerts.catch(() => {
      if (this.#lists.get(clientId) === list) this.#lists.delete(clientId)
    })
    return alerts
  }
}
