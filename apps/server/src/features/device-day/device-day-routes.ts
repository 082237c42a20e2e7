import * as contract from '@floorcast/contract/device-day.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { readDeviceDay } from './device-day.ts'

export function registerDeviceDay(http: Http, context: Context): void {
  http.forUsers(contract.readDeviceDay, call =>
    readDeviceDay(context, call, { uid: call.params.uid, day: call.query.day }),
  )
}
