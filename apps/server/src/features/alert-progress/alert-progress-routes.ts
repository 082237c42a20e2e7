import * as progress from '@floorcast/contract/alert-devices.ts'
import { readAlertReach as reach } from '@floorcast/contract/alerts.ts'
import type { Http } from '../../platform/http/http.ts'
import { readAlert, listAlertDevices, readAlertReach } from './alert-progress.ts'

export function registerAlertProgress(http: Http): void {
  http.forUsers(reach, call => readAlertReach(call, call.params.uid))
  http.forUsers(progress.readAlert, call => readAlert(call.scope, call.params.uid))
  http.forUsers(progress.listAlertDevices, call => listAlertDevices(call, call.params.uid, call.query))
}
