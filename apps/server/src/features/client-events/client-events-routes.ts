import * as contract from '@floorcast/contract/client-events.ts'
import type { Http } from '../../platform/http/http.ts'
import { readEvent, readEvents } from './client-events.ts'

export function registerClientEvents(http: Http): void {
  http.forUsers(contract.listClientEvents, call => readEvents(call, call.query))
  http.forUsers(contract.readClientEvent, call => readEvent(call, call.params.position))
}
