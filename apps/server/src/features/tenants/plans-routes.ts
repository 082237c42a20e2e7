import * as contract from '@floorcast/contract/plans.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { mailLanguage } from '../mail/mail.ts'
import { requestPlan, withdrawPlanRequest } from './plans.ts'
import { listPlans } from './plans-queries.ts'

export function registerPlans(http: Http, { settings: { mail, supportEmail } }: Context): void {
  http.forUsers(contract.listPlans, call => listPlans(call.scope.reads))
  http.done(contract.requestPlan, async call => {
    const language = mailLanguage(call.request.headers['accept-language'])
    const letter = mail === null || supportEmail === null ? null : { recipient: supportEmail, language }
    return { requestedAt: await requestPlan(call, call.body.planKey, letter) }
  })
  http.done(contract.withdrawPlanRequest, call => withdrawPlanRequest(call))
}
