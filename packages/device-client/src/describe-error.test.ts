import { CallError } from '@floorcast/contract/client.ts'
import { expect, test } from 'vitest'
import { describeError } from './describe-error.ts'

/** An error as fetch throws it. */
const failed = (code: string) =>
  new CallError(0, null, {
    cause: new TypeError('fetch failed', { cause: Object.assign(new Error('reason'), { code }) }),
  })
const severalAddresses = new TypeError('fetch failed', {
  cause: new AggregateError([Object.assign(new Error('a'), { code: 'ECONNREFUSED' })]),
})
const clock = { now: () => 0, machineNow: () => Date.UTC(1970, 0, 1, 0, 3) }

test.each([
  [failed('CERT_HAS_EXPIRED'), "the certificate has expired (this machine's clock says 1970-01-01 00:03)"],
  [
    failed('CERT_NOT_YET_VALID'),
    "the certificate is not valid yet (this machine's clock says 1970-01-01 00:03)",
  ],
  [failed('SELF_SIGNED_CERT_IN_CHAIN'), 'the certificate is of an authority that this machine does not know'],
  [failed('ERR_TLS_CERT_ALTNAME_INVALID'), 'the certificate is of another name'],
  [failed('ENOTFOUND'), 'the name is not known: check the address and the DNS'],
  [severalAddresses, 'nothing listens there: the server is down, or a firewall refuses'],
  [failed('EWHATEVER'), 'no answer'],
  [new CallError(502, null), 'HTTP 502'],
  ['odd', 'odd'],
])('A failed call is named by its cause: %s', (error, words) => {
  expect(describeError(error, clock)).toBe(words)
})
