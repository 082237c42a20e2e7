import { createHmac } from 'node:crypto'
import { type proveServer, serverProofText } from '@floorcast/contract/device-protocol.ts'
import type { AnswerOf, BodyOf } from '@floorcast/contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { CountLimit } from '../../platform/lib/count-limit.ts'
import { ProblemError } from '../../platform/lib/errors.ts'

/** Only failures count: a chain's devices may stand behind one address, and all ask when their server has moved. */
const FAILURES_BY_ADDRESS = { max: 60, windowSeconds: 60 }
/** The log has one line for each wrong address, up to this number of addresses. */
const MAX_LOGGED_ADDRESSES = 20

/** Proves to devices that an address leads to their server: docs/decisions/0286. */
export interface ServerProofs {
  /** @throws ProblemError 404 'license-unknown', 409 'other-address', 429 */
  prove(body: BodyOf<typeof proveServer>, address: string): Promise<AnswerOf<typeof proveServer>>
}

export function openServerProofs({ settings, database, log, now }: Context): ServerProofs {
  const failures = new CountLimit({ ...FAILURES_BY_ADDRESS, now })
  const { publicUrl, streamUrl, otherStreamUrl } = settings
  const addresses = new Set([publicUrl, streamUrl, ...(otherStreamUrl === null ? [] : [otherStreamUrl])])
  const logged = new Set<string>()
  const refuseAddress = (address: string) => {
    if (!logged.has(address) && logged.size < MAX_LOGGED_ADDRESSES) {
      logged.add(address)
      log.warn({ address }, 'a device asks for the proof of an address that is not one of the settings')
    }
    return new ProblemError(409, 'other-address', {
      detail: 'This address is neither STREAM_URL nor PUBLIC_URL nor OTHER_STREAM_URL of this server.',
    })
  }
  return {
    async prove(body, address) {
      failures.check(address)
      const key = await database.auth.licenseHash(body.playpointid)
      if (key === null) {
        failures.add(address)
        throw new ProblemError(404, 'license-unknown')
      }
      if (!addresses.has(body.address)) throw refuseAddress(body.address)
      return { proof: createHmac('sha256', key).update(serverProofText(body)).digest('hex') }
    },
  }
}
