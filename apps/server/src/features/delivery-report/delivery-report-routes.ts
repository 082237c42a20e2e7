import * as contract from '@floorcast/contract/delivery-report.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { readDelivery } from './delivery-report.ts'

export function registerDeliveryReport(http: Http, context: Context): void {
  http.forUsers(contract.readDelivery, call =>
    readDelivery(context, call, { mediaUid: call.params.uid, ...call.query }),
  )
}
