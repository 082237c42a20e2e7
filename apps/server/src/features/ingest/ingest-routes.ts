import * as contract from '@floorcast/contract/device-protocol.ts'
import type { Http } from '../../platform/http/http.ts'
import { ownDevice } from '../device-api/device-api.ts'
import type { Context } from '../../context.ts'
import { countHeartbeats, type Ingest } from './ingest.ts'

/** 500 events with the longest texts. */
const MAX_LIST_BYTES = 4 * 1024 * 1024

export function registerIngest(
  http: Http,
  { metrics }: Pick<Context, 'metrics'>,
  { heartbeats, events, reports }: Ingest,
): void {
  const receive = countHeartbeats(metrics, 'call', heartbeats)
  http.forDevices(contract.sendHeartbeat, call => receive(call.device, call.body))
  http.forDevices(contract.sendEvents, call => events.receive(ownDevice(call), call.body), {
    bodyLimit: MAX_LIST_BYTES,
  })
  http.app.addHook('onClose', async () => {
    await heartbeats.drain()
    await events.drain()
    await reports.drain()
  })
}
