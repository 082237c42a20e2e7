import type { OpenAlert } from '@floorcast/contract/alerts.ts'
import type { Heartbeat, HeartbeatAnswer } from '@floorcast/contract/device-protocol.ts'
import { FORMER_PROTOCOL, PROTOCOL } from '@floorcast/contract/manifest.ts'
import type { Context } from '../../context.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import type { ReportedChange } from '../../platform/database/collected-notices.ts'
import { againWhenGivenUp, isValueFault } from '../../platform/database/database-errors.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { addressOf } from '../../platform/settings/address-settings.ts'
import type { OpenAlerts } from '../alerts/alerts.ts'
import { openRedeliveries } from '../redeliveries/redeliveries.ts'
import { alertsKey, etagOf, isFormerEtag, type Manifests } from '../manifests/manifests.ts'
import { timeBatches } from './ingest-metrics.ts'
import { HEARTBEAT_LIMIT, ReportBudget } from './report-budget.ts'
import { storeHeartbeats, type ReceivedHeartbeat, type StoredHeartbeat } from './heartbeat-queries.ts'

type Stored = Pick<StoredHeartbeat, 'etag' | 'alerts' | 'signedServer'>

export interface Heartbeats {
  /**
   * Stores a heartbeat; resolves after its commit.
   * @throws ProblemError 422 if a value cannot be stored, 429 if the device sends too many
   */
  receive(device: DeviceIdentity, heartbeat: Heartbeat, protocol?: number): Promise<HeartbeatAnswer>
  drain(): Promise<void>
}

/** Within it the devices of a group whose size is not in memory fetch a manifest. */
const UNKNOWN_WAVE_SECONDS = 10

/** Ingests heartbeats of HTTP and of channels. Those of a few milliseconds are one commit. */
export function openHeartbeats(context: Context, manifests: Manifests, alerts: OpenAlerts): Heartbeats {
  const commit = new Batcher<ReceivedHeartbeat, Stored>(
    timeBatches(context.metrics, 'heartbeats', received =>
      againWhenGivenUp(() => storeBatch(context, received)),
    ),
    { maxWaitMs: 0, maxBatch: 500, concurrency: 1, mayBeItemsFault: isValueFault },
  )
  const budget = new ReportBudget(HEARTBEAT_LIMIT)
  const { otherStreamUrl } = context.settings
  const { signed } = context.files
  const redeliveries = openRedeliveries(context)
  const readRestored = keepAnswer(() => context.database.ingest.readRestored())
  return {
    receive: async (device, heartbeat, protocol = protocolOf(heartbeat)) => {
      budget.take(device.deviceUid, 1, context.now())
      const { clientId, deviceUid, groupUid } = device
      const ids = { uid: uuidV7(), clientId, deviceUid, groupUid }
      const received = { ...ids, receivedAt: context.now(), heartbeat }
      const stored = await commit.add(received).catch(refuse)
      if (heartbeat.redelivered) await redeliveries.receive(deviceUid, heartbeat.redelivered)
      const [open, restored] = await Promise.all([alerts.listFor(device), readRestored()])
      const isCurrent = stored.etag !== null && stored.alerts === alertsKey(open)
      // Also with a current manifest: changes of track are reported within it.
      const withinSeconds = manifests.fetchWithin(device) ?? (isCurrent ? undefined : UNKNOWN_WAVE_SECONDS)
      return {
        serverTime: context.now().toISOString(),
        // A device whose manifest is to be made again asks for it; then it is made.
        manifestEtag: isCurrent ? etagOf(stored.etag ?? '', protocol) : '',
        ...(withinSeconds === undefined ? {} : { manifestWithinSeconds: withinSeconds }),
        alerts: open.map(noticeOf),
        ...(otherStreamUrl === null ? {} : { otherServer: addressOf(otherStreamUrl, clientId) }),
        ...(stored.signedServer === null ? {} : { signedServer: stored.signedServer }),
        ...(signed === null ? {} : { fileStore: signed.origin }),
        ...(restored === null ? {} : { restored }),
      }
    },
    drain: () => commit.drain(),
  }
}

/** Asks once, and again after a failure, whose callers have none: a database is restored while no server runs. */
function keepAnswer<T>(ask: () => Promise<T>): () => Promise<T | null> {
  let asked: Promise<T | null> | null = null
  return () =>
    (asked ??= ask().catch(() => {
      asked = null
      return null
    }))
}

const noticeOf = ({ uid, kind, beganAt, isDrill }: OpenAlert) => ({ uid, kind, beganAt, isDrill })

/** A device without a channel shows by its manifest's ETag which protocol it speaks. */
const protocolOf = ({ manifestEtag }: Heartbeat) => (isFormerEtag(manifestEtag) ? FORMER_PROTOCOL : PROTOCOL)

function refuse(cause: unknown): never {
  if (isValueFault(cause)) throw new ProblemError('wrong-fields', { detail: 'a value cannot be stored' })
  throw cause
}

function changesOf({ deviceUid, isNews, publications }: StoredHeartbeat, clientId: string): ReportedChange[] {
  const held = (publications ?? []).map(uid => ({ clientId, entity: 'publication' as const, uid }))
  return isNews ? [{ clientId, entity: 'device', uid: deviceUid }, ...held] : held
}

async function storeBatch(context: Context, received: ReceivedHeartbeat[]): Promise<Stored[]> {
  const { ingest } = context.database
  await ingest.ensureDays(received.map(({ receivedAt }) => receivedAt.toISOString().slice(0, 10)))
  const stored = await storeHeartbeats(ingest.statements, received)
  const answers = new Map(stored.map(row => [row.deviceUid, row]))
  const clients = new Map(received.map(({ deviceUid, clientId }) => [deviceUid, clientId]))
  ingest.notices.add(stored.flatMap(row => changesOf(row, clients.get(row.deviceUid) ?? '')))
  return received.map(
    ({ deviceUid }) => answers.get(deviceUid) ?? { etag: null, alerts: '', signedServer: null },
  )
}
