import * as contract from '@floorcast/contract/bulk-calls.ts'
import type { Http } from '../../platform/http/http.ts'
import { changeManyDevices, previewManyDevices } from './device-bulk.ts'

export function registerDeviceBulk(http: Http): void {
  http.forUsers(contract.previewManyDevices, call => previewManyDevices(call, call.body))
  http.forUsers(contract.changeManyDevices, call => changeManyDevices(call, call.body))
}
