import * as contract from '@floorcast/contract/audit.ts'
import type { Http } from '../../platform/http/http.ts'
import { readAudit } from './audit.ts'

export function registerAudit(http: Http): void {
  http.forUsers(contract.readAudit, call => readAudit(call, call.params.id, call.query))
}
