import * as passkeyCalls from '@floorcast/contract/passkeys.ts'
import * as contract from '@floorcast/contract/second-factor.ts'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { lazySecretBox } from '../../platform/auth/secret-box.ts'
import type { Http } from '../../platform/http/http.ts'
import type { PasswordChange } from './own-password-routes.ts'
import * as passkeys from './passkeys.ts'
import * as rules from './second-factor.ts'
import { limitCodes, limitSteps } from './sign-in-limits-routes.ts'
import { openStep } from './sign-in-step.ts'

export function registerSecondFactor(http: Http, context: Context, own: PasswordChange): void {
  const factor = { context, secrets: lazySecretBox(context.settings.secretKeyFile) }
  registerSignInSteps(http, factor)
  registerOwnFactor(http, factor, own)
  registerPasskeys(http, factor, own)
  http.done(contract.requireSecondFactor, async call => {
    await rules.requireFactor(call, call.body.isRequired)
  })
  http.done(contract.removeUserSecondFactor, call =>
    own(call, () => rules.removeFactorOf(call, call.params.uid, call.body.password)),
  )
}

function registerSignInSteps(http: Http, factor: rules.FactorContext): void {
  const stepsByAddress = limitSteps(http)
  const countCodes = limitCodes(factor.context, 'users')
  const userOfTicket = async (call: { request: FastifyRequest; body: { ticket: string }; now: Date }) => {
    await stepsByAddress(call.request)
    const user = await openStep(factor.context, call.body.ticket, call.now)
    call.request.note.userUid = user.uid
    call.request.note.clientId = user.clientId
    return user
  }
  http.forAll(contract.completeSignIn, async call => {
    const user = await userOfTicket(call)
    const complete = () => rules.completeSignIn(factor, user, { ...call.body, asked: call })
    return countCodes(call.request, { account: user.uid, code: call.body.code }, complete)
  })
  http.forAll(contract.beginRequiredEnrollment, async call =>
    rules.beginRequiredEnrollment(factor, await userOfTicket(call), call.now),
  )
  http.forAll(contract.confirmRequiredEnrollment, async call =>
    rules.confirmRequiredEnrollment(factor, await userOfTicket(call), { ...call.body, asked: call }),
  )
}

function registerOwnFactor(http: Http, factor: rules.FactorContext, own: PasswordChange): void {
  http.forUsers(contract.readSecondFactor, call => rules.readOwnFactor(call))
  http.done(contract.beginEnrollment, async call => {
    const draft = await own(call, () => rules.beginEnrollment(factor, call, call.body.password))
    return draft
  })
  http.done(contract.confirmEnrollment, async call => {
    const recoveryCodes = await own(call, () => rules.confirmEnrollment(factor, call, call.body.code))
    return { recoveryCodes }
  })
  http.done(contract.renewRecoveryCodes, async call => {
    const recoveryCodes = await own(call, () => rules.renewRecoveryCodes(factor, call, call.body.password))
    return { recoveryCodes }
  })
  http.done(contract.removeSecondFactor, call =>
    own(call, () => rules.removeOwnFactor(call, call.body.password)),
  )
}

function registerPasskeys(http: Http, factor: rules.FactorContext, own: PasswordChange): void {
  const signInsByAddress = limitSteps(http)
  http.forAll(passkeyCalls.beginPasskeySignIn, async call => {
    await signInsByAddress(call.request)
    return passkeys.beginPasskeySignIn(factor, call.now)
  })
  http.forAll(passkeyCalls.signInByPasskey, async call => {
    await signInsByAddress(call.request)
    return passkeys.signInByPasskey(factor, call.body, call)
  })
  http.forUsers(passkeyCalls.beginPasskey, call =>
    own(call, () => passkeys.beginPasskey(factor, call, call.body.password)),
  )
  http.done(passkeyCalls.addPasskey, async call => {
    const recoveryCodes = await own(call, () => passkeys.addOwnPasskey(factor, call, call.body))
    return recoveryCodes.length > 0 ? { recoveryCodes } : {}
  })
  http.done(passkeyCalls.removePasskey, call =>
    own(call, () => passkeys.removeOwnPasskey(call, call.params.uid, call.body.password)),
  )
}
