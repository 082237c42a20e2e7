import * as progress from '@floorcast/contract/alert-devices.ts'
import { readAlertReach as reach } from '@floorcast/contract/alerts.ts'
import type { Http } from '../../platform/http/http.ts'
import { readAlertCard, readAlertDevices, readAlertReach } from './alert-progress.ts'

export function registerAlertProgress(http: Http): void {
  http.forUsers(reach, call => readAlertReach(call, call.params.uid))
  http.forUsers(progress.readAlert, call => readAlertCard(call.scope, call.params.uid))
  http.forUsers(progress.listAlertDevices, call => readAlertDevices(call, call.params.uid, call.query))
}
