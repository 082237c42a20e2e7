import * as contract from '@floorcast/contract/device-day.ts'
import type { Http } from '../../platform/http/http.ts'
import { readDeviceDay } from './device-day.ts'

export function registerDeviceDay(http: Http): void {
  http.forUsers(contract.readDeviceDay, call =>
    readDeviceDay(call, { uid: call.params.uid, day: call.query.day }),
  )
}
