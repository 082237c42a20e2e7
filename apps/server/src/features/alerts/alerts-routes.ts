import * as contract from '@floorcast/contract/alerts.ts'
import type { Http } from '../../platform/http/http.ts'
import { beginAlert, endAlert, listAlerts, listOpenAlerts } from './alerts.ts'

export function registerAlerts(http: Http): void {
  http.done(contract.beginAlert, call => {
    const { uid: target, alerttype: kind } = call.params
    return beginAlert(call, { target, kind, isDrill: call.query.drill === '1' })
  })
  http.done(contract.endAlert, async call => {
    const { uid: target, alerttype: kind } = call.params
    return { uid: await endAlert(call, { target, kind, alert: call.query.alert }) }
  })
  http.forUsers(contract.listOpenAlerts, call => listOpenAlerts(call.scope.reads))
  http.forUsers(contract.listAlerts, call => listAlerts(call.scope.reads, call.query))
}
