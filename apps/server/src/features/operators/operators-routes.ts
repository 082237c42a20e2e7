import { readInstallationState } from '@floorcast/contract/installation.ts'
import * as contract from '@floorcast/contract/operator.ts'
import * as signIn from '@floorcast/contract/operator-sign-in.ts'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { lazySecretBox } from '../../platform/auth/secret-box.ts'
import type { Http } from '../../platform/http/http.ts'
import { limitCodes, limitPasswords, limitSteps } from '../auth/auth.ts'
import { overviewReader } from './operator-overview.ts'
import * as rules from './operator-sign-in.ts'
import * as operators from './operators.ts'

const done = { code: 200 }

export function registerOperators(http: Http, context: Context): void {
  registerSignIn(http, context)
  registerActs(http, context)
  const readOperatorOverview = overviewReader(context)
  http.forOperators(contract.readOperatorOverview, call => readOperatorOverview(call.now))
  http.forOperators(contract.listClients, call => operators.listClients(context, call.query, call.now))
  http.forOperators(contract.listPlanRequests, () => operators.listPlanRequests(context))
  http.forOperators(contract.listOperatorAudit, call => operators.listAudit(context, call.query))
  http.forUsers(readInstallationState, async () => context.installation.current())
}

function registerSignIn(http: Http, context: Context): void {
  const parts = { ...context, secrets: lazySecretBox(context.settings.secretKeyFile) }
  const limited = limitPasswords(context, 'operators')
  const stepsByAddress = limitSteps(http)
  const countCodes = limitCodes(context, 'operators')
  const operatorOf = async (call: { request: FastifyRequest; body: { ticket: string }; now: Date }) => {
    await stepsByAddress(call.request)
    const operator = await rules.openStep(parts, call.body.ticket, call.now)
    call.request.note.operatorUid = operator.uid
    return operator
  }
  http.forAll(signIn.authenticateOperator, call =>
    limited(call.request, call.body.email, () => rules.beginSignIn(parts, call.body, call)),
  )
  http.forAll(signIn.acceptOperatorLink, async call => {
    await stepsByAddress(call.request)
    return rules.acceptLink(parts, call.body, call)
  })
  http.forAll(signIn.completeOperatorSignIn, async call => {
    const operator = await operatorOf(call)
    const { ticket, code } = call.body
    const isKnownFrom = (network: string) =>
      rules.hasSignedInFrom(parts, operator, { network, now: call.now })
    return countCodes(call.request, { account: operator.uid, code, isKnownFrom }, () =>
      rules.completeSignIn(parts, operator, { ticket, code, isEnrolling: false, asked: call }),
    )
  })
  http.forAll(signIn.beginOperatorEnrollment, async call =>
    rules.beginEnrollment(parts, await operatorOf(call)),
  )
  http.forAll(signIn.confirmOperatorEnrollment, async call => {
    const operator = await operatorOf(call)
    const { ticket, code } = call.body
    // Who sets up an app has its secret: there is nothing to guess, and wrong codes of before the link do not count.
    return rules.completeSignIn(parts, operator, { ticket, code, isEnrolling: true, asked: call })
  })
  http.forOperators(signIn.readOperator, async ({ operator: { uid, email, expiresAt } }) => ({
    uid,
    email,
    expiresAt,
  }))
  http.forOperators(signIn.endOperatorSession, async call => {
    await operators.signOut(context, call)
    return done
  })
}

function registerActs(http: Http, context: Context): void {
  http.forOperators(contract.runJob, async call => {
    await operators.runJob(context, call.params.name, call)
    return done
  })
  http.forOperators(contract.setNotice, async call => {
    await operators.setNotice(context, call.body, call)
    return done
  })
  http.forOperators(contract.endNotice, async call => {
    await operators.endNotice(context, call)
    return done
  })
  http.forOperators(contract.setReadOnly, async call => {
    await operators.setReadOnly(context, call.body, call)
    return done
  })
  http.forOperators(contract.endReadOnly, async call => {
    await operators.endReadOnly(context, call)
    return done
  })
}
