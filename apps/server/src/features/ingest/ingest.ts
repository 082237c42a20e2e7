import type { ChannelReply, Held } from '@floorcast/contract/device-protocol.ts'
import type { Context } from '../../context.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import { againWhenGivenUp, isValueFault } from '../../platform/database/database-errors.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import type { OpenAlerts } from '../alerts/alerts.ts'
import type { Manifests } from '../manifests/manifests.ts'
import {
  type HeldReport,
  type LostChannel,
  type Receipt,
  storeHeld,
  storeLostChannels,
  storeReceipts,
} from './device-reports-queries.ts'
import { type Events, openEvents } from './events.ts'
import { type Heartbeats, openHeartbeats } from './heartbeats.ts'

export { countHeartbeats } from './ingest-metrics.ts'

/** Ingests the reports of devices, by HTTP and by channel. */
export interface Ingest {
  heartbeats: Heartbeats
  events: Events
  reports: DeviceReports
}

export const openIngest = (context: Context, manifests: Manifests, alerts: OpenAlerts): Ingest => ({
  heartbeats: openHeartbeats(context, manifests, alerts),
  events: openEvents(context),
  reports: openDeviceReports(context),
})

type AlertReceipt = Extract<ChannelReply, { type: 'receipt' }>

/** What devices report on their channels between heartbeats. Each resolves after its commit. */
interface DeviceReports {
  /** What a device holds of its publications. */
  receiveHeld(device: DeviceIdentity, held: Held[]): Promise<void>
  /** What a device has done with an alert. */
  receiveReceipt(device: DeviceIdentity, receipt: AlertReceipt): Promise<void>
  /** The device's channel has closed. @param reportedAt its last heartbeat on this channel */
  receiveLostChannel(device: DeviceIdentity, reportedAt: string): Promise<void>
  drain(): Promise<void>
}

/** The reports of a tenth of a second are one commit: they are many after a publication or an alert, and wait for nothing. */
const OPTIONS = { maxWaitMs: 100, maxBatch: 500, concurrency: 1, mayBeItemsFault: isValueFault }

function openDeviceReports(context: Context): DeviceReports {
  const { ingest } = context.database
  const held = new Batcher<HeldReport, void>(async reports => {
    ingest.notices.add(await againWhenGivenUp(() => storeHeld(ingest.statements, reports)))
    return []
  }, OPTIONS)
  const receipts = new Batcher<Receipt, void>(async some => {
    await againWhenGivenUp(() => storeReceipts(ingest.statements, some))
    return []
  }, OPTIONS)
  const lost = new Batcher<LostChannel, void>(async channels => {
    ingest.notices.add(await againWhenGivenUp(() => storeLostChannels(ingest.statements, channels)))
    return []
  }, OPTIONS)
  const timeAgo = (millis: number) => new Date(context.now().getTime() - millis).toISOString()
  return {
    receiveHeld: ({ clientId, deviceUid }, list) =>
      held.add({ clientId, deviceUid, held: list, receivedAt: timeAgo(0) }),
    receiveReceipt: ({ clientId, deviceUid }, { alertUid, step, agoMs }) =>
      receipts.add({ clientId, deviceUid, alertUid, step, at: timeAgo(agoMs) }),
    receiveLostChannel: ({ deviceUid }, reportedAt) => lost.add({ deviceUid, reportedAt, at: timeAgo(0) }),
    drain: async () => void (await Promise.all([held.drain(), receipts.drain(), lost.drain()])),
  }
}
