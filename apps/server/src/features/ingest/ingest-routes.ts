import * as contract from '@floorcast/contract/device-protocol.ts'
import type { Http } from '../../platform/http/http.ts'
import { ownDevice } from '../device-api/device-api.ts'
import type { Ingest } from './ingest.ts'

/** 500 events with the longest texts. */
const MAX_LIST_BYTES = 4 * 1024 * 1024

export function registerIngest(http: Http, { heartbeats, events, reports }: Ingest): void {
  http.forDevices(contract.sendHeartbeat, call => heartbeats.receive(call.device, call.body))
  http.forDevices(contract.sendEvents, call => events.receive(ownDevice(call), call.body), {
    bodyLimit: MAX_LIST_BYTES,
  })
  http.app.addHook('onClose', async () => {
    await heartbeats.drain()
    await events.drain()
    await reports.drain()
  })
}
