import * as contract from '@floorcast/contract/proof.ts'
import type { Context } from '../../context.ts'
import { callerAddress } from '../../platform/http/admit/access.ts'
import { makeRateLimit } from '../../platform/http/admit/rate-limits.ts'
import type { Http } from '../../platform/http/http.ts'
import { markProofKey, readKeys, renewProofKey } from './proof-keys.ts'

/** Anyone may ask; nobody needs it more often. */
const LIMIT = { max: 60, windowSeconds: 60, keyOf: callerAddress }

export function registerProofKeys(http: Http, context: Context): void {
  const byAddress = makeRateLimit(http.app, LIMIT)
  http.forAll(contract.readProofKeys, async call => {
    await byAddress(call.request)
    return readKeys(context, call.params.client)
  })
  http.forUsers(contract.listProofKeys, call => readKeys(context, call.scope.clientId))
  http.done(contract.markProofKey, call => markProofKey(context, call, call.body))
  http.done(contract.renewProofKey, async call => ({ keyId: await renewProofKey(context, call) }))
}
