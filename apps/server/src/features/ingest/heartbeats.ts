import type { Heartbeat, HeartbeatAnswer } from '@floorcast/contract/device-protocol.ts'
import type { Context } from '../../context.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import { againWhenGivenUp, isValueFault } from '../../platform/database/database-errors.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { currentEtag } from '../manifests/manifests.ts'
import { storeHeartbeats, type ReceivedHeartbeat, type StoredHeartbeat } from './heartbeat-queries.ts'
import { OpenAlertCache } from './open-alerts.ts'

type Stored = Omit<StoredHeartbeat, 'deviceUid'>

export interface Heartbeats {
  /** Stores a heartbeat; resolves after its commit. @throws ProblemError 422 when a value cannot be stored. */
  receive(device: DeviceIdentity, heartbeat: Heartbeat): Promise<HeartbeatAnswer>
  drain(): Promise<void>
}

/** Where heartbeats come in, over HTTP and over channels: those of a few milliseconds are one commit. */
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
      const scope = context.database.forClient(clientId)
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
