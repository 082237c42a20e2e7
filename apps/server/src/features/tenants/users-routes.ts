import * as contract from '@floorcast/contract/users.ts'
import type { Context } from '../../context.ts'
import { callerAddress } from '../../platform/http/admit/access.ts'
import { makeSharedRateLimit } from '../../platform/http/admit/rate-limits.ts'
import type { Http } from '../../platform/http/http.ts'
import { passwordChanges, signInByLink } from '../auth/auth.ts'
import { mailLanguage } from '../mail/mail.ts'
import {
  inviteUser,
  changePassword,
  editUser,
  type LinkDelivery,
  listUsers,
  removeUser,
  resetUser,
} from './users.ts'

const MINUTE = 60

export function registerUsers(http: Http, context: Context): void {
  const { publicUrl, mail } = context.settings
  const deliveryFor = (language: string | undefined): LinkDelivery => ({
    publicUrl,
    isByMail: mail !== null,
    language: mailLanguage(language),
  })
  const linksByAddress = makeSharedRateLimit(context, {
    name: 'uses of links',
    max: 60,
    windowSeconds: MINUTE,
    keyOf: callerAddress,
  })
  // A link is for one person; more is a list of addresses that somebody tries.
  const invitationsByClient = makeSharedRateLimit(context, {
    name: 'invitations',
    max: 100,
    windowSeconds: 60 * MINUTE,
    keyOf: request => request.session?.clientId ?? '',
  })
  const passwordsByUser = makeSharedRateLimit(context, {
    name: 'changes of own password',
    max: 10,
    windowSeconds: 5 * MINUTE,
    keyOf: request => request.session?.userUid ?? '',
  })

  const byPassword = passwordChanges(context)

  http.forUsers(contract.listUsers, call => listUsers(call, call.query))
  http.done(contract.inviteUser, async call => {
    await invitationsByClient(call.request)
    const delivery = deliveryFor(call.request.headers['accept-language'])
    const invite = () => inviteUser(call, call.body, delivery)
    const invited = call.body.password === undefined ? await invite() : await byPassword(call, invite)
    return invited
  })
  http.done(contract.editUser, async call => {
    const edit = () => editUser(call, call.body)
    await (call.body.password === undefined ? edit() : byPassword(call, edit))
  })
  http.done(contract.removeUser, call => byPassword(call, () => removeUser(call, call.body)))
  http.done(contract.resetUser, async call => {
    const delivery = deliveryFor(call.request.headers['accept-language'])
    const user = { uid: call.params.uid, password: call.body.password }
    return byPassword(call, () => resetUser(call, user, delivery))
  })
  http.done(contract.changePassword, async call => {
    await passwordsByUser(call.request)
    await changePassword(call, call.body)
  })
  http.forAll(contract.acceptLink, async call => {
    await linksByAddress(call.request)
    return signInByLink(context, call.body, call)
  })
}
