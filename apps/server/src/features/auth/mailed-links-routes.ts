import * as contract from '@floorcast/contract/mailed-links.ts'
import type { Context } from '../../context.ts'
import { callerAddress } from '../../platform/http/admit/access.ts'
import { makeSharedRateLimit } from '../../platform/http/admit/rate-limits.ts'
import type { Http } from '../../platform/http/http.ts'
import { mailLanguage, openMailQueue } from '../mail/mail.ts'
import { confirmAccount, readLink, requestAccount, requestReset } from './mailed-links.ts'

const MINUTE = 60

/** Few mails go to each address (MAIL_LIMITS); these limits keep one caller from writing to many. */
const LIMITS = {
  mailsByAddress: { max: 30, windowSeconds: 60 * MINUTE, keyOf: callerAddress },
  linksByAddress: { max: 60, windowSeconds: MINUTE, keyOf: callerAddress },
}

/** The calls that have a link mailed, and the queue of mails. */
export function registerMailedLinks(http: Http, context: Context): void {
  const queue = openMailQueue(context)
  http.shutdown.onLeave(() => queue?.close())
  const mailsByAddress = makeSharedRateLimit(context, {
    ...LIMITS.mailsByAddress,
    name: 'requests for mails',
  })
  const linksByAddress = makeSharedRateLimit(context, { ...LIMITS.linksByAddress, name: 'mailed links' })

  http.forAll(contract.requestAccount, async call => {
    await mailsByAddress(call.request)
    await requestAccount(context, call.body, {
      language: mailLanguage(call.request.headers['accept-language']),
      askedFrom: callerAddress(call.request),
      now: call.now,
    })
    return { code: 200 }
  })
  http.forAll(contract.confirmAccount, async call => {
    await linksByAddress(call.request)
    return confirmAccount(context, call.body, call)
  })
  http.forAll(contract.readLink, async call => {
    await linksByAddress(call.request)
    return { email: await readLink(context, call.body.token, call.now) }
  })
  http.forAll(contract.forgotPassword, async call => {
    await mailsByAddress(call.request)
    await requestReset(context, call.body.email, {
      language: mailLanguage(call.request.headers['accept-language']),
      askedFrom: callerAddress(call.request),
      now: call.now,
    })
    return { code: 200 }
  })
}
