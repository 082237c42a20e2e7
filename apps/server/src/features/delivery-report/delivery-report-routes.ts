import * as contract from '@floorcast/contract/delivery-report.ts'
import type { Http } from '../../platform/http/http.ts'
import { readDelivery } from './delivery-report.ts'

export function registerDeliveryReport(http: Http): void {
  http.forUsers(contract.readDelivery, call => readDelivery(call, call.params.uid, call.query))
}
