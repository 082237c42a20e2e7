import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { connectByWs } from '@floorcast/device-client/ws-socket.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findChainFault } from './certificate-chain.ts'
import { checkDatesByAgentTime, type TlsClock } from './wrong-clock-tls.ts'

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../testing/tls/${name}.pem`, import.meta.url)), 'utf8')
const HOST = 'localhost'

const known = tls.getCACertificates('default')
const trust = (isTrusted: boolean) =>
  tls.setDefaultCACertificates(isTrusted ? [...known, read('authority'), read('long-path-authority')] : known)
beforeAll(() => trust(true))
afterAll(() => trust(false))

async function serve(certificate: string): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = []
  const server: Server = createServer(
    { cert: read(certificate), key: read('server-key') },
    (request, response) => {
      requests.push(request.url ?? '')
      response.end('answer')
    },
  )
  await new Promise<void>(resolve => server.listen(0, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, requests }
}

const OCTOBER = Date.UTC(2026, 9, 1)
const wrong: TlsClock = {
  now: () => OCTOBER,
  isTrusted: false,
  hasServerTime: false,
  earliest: () => OCTOBER,
}
const right: TlsClock = { ...wrong, isTrusted: true }
const told = (now: number): TlsClock => ({ ...right, hasServerTime: true, now: () => now })

/** The results of two calls in a row: the first one is always checked by OpenSSL alone. */
async function callTwice(port: number, { host = HOST, firstPort = port } = {}): Promise<string[]> {
  const results: string[] = []
  for (const path of ['/first', '/second'])
    results.push(
      await fetch(`https://${host}:${path === '/first' ? firstPort : port}${path}`, {
        headers: { connection: 'close' },
      }).then(
        answer => answer.text(),
        (error: Error) => String((error.cause as { code?: string }).code),
      ),
    )
  return results
}

interface Case {
  certificate: string
  clock: TlsClock
  results: [string | RegExp, string]
  host?: string
  /** The first call goes to a server with this certificate. */
  first?: string
  isUntrusted?: boolean
}
/*
 * For the machine's clock, the certificate `expired` ended on 1 November 2026 and `future` begins in 2090, as a right one does
 * where the clock is ahead or behind.
 */
const EXPIRED = 'CERT_HAS_EXPIRED'
const cases: Record<string, Case> = {
  'a clock ahead: the certificate was good at the last good time': {
    certificate: 'expired',
    clock: wrong,
    results: [EXPIRED, 'answer'],
  },
  'a clock behind: the certificate is of later': {
    certificate: 'future',
    clock: wrong,
    results: ['CERT_NOT_YET_VALID', 'answer'],
  },
  'the server has told the time, at which the certificate is good': {
    certificate: 'expired',
    clock: told(OCTOBER),
    results: [EXPIRED, 'answer'],
  },
  'a believed clock: an expired certificate stays refused': {
    certificate: 'expired',
    clock: right,
    results: [EXPIRED, EXPIRED],
  },
  'the server has told the time, at which the certificate has expired': {
    certificate: 'expired',
    clock: told(Date.UTC(2026, 10, 2)),
    results: [EXPIRED, EXPIRED],
  },
  'a stolen certificate that had expired before the last good time': {
    certificate: 'expired-2021',
    clock: wrong,
    results: [EXPIRED, EXPIRED],
  },
  'a certificate of an unknown authority': {
    certificate: 'expired',
    clock: wrong,
    isUntrusted: true,
    results: [/^[A-Z_]+$/, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  },
  'a certificate of an authority that may name other servers only': {
    certificate: 'constrained',
    clock: wrong,
    results: ['UNSPECIFIED', 'UNSPECIFIED'],
  },
  'an expired certificate of an authority below one that may have none below': {
    certificate: 'long-path-expired',
    clock: wrong,
    results: [EXPIRED, 'PATH_LENGTH_EXCEEDED'],
  },
  'what OpenSSL refuses for another reason than its dates': {
    first: 'expired',
    certificate: 'long-path',
    clock: wrong,
    results: [EXPIRED, 'PATH_LENGTH_EXCEEDED'],
  },
  'a certificate of another name': {
    certificate: 'expired',
    clock: wrong,
    host: '127.0.0.2',
    results: [EXPIRED, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  },
}

test.each(Object.entries(cases))(
  'With a wrong clock: %s',
  async (_, { certificate, clock, results, host, first, isUntrusted }) => {
    const { port, requests } = await serve(certificate)
    const { port: firstPort } = first === undefined ? { port } : await serve(first)
    trust(!isUntrusted)
    onTestFinished(() => trust(true))
    onTestFinished(checkDatesByAgentTime(clock))
    const answers = await callTwice(port, { host: host ?? HOST, firstPort })
    expect(answers[0]).toMatch(results[0])
    expect(answers[1]).toBe(results[1])
    expect(requests).toEqual(results[1] === 'answer' ? ['/second'] : [])
  },
)

test('What the agent does not understand of a chain, it refuses', () => {
  const chain = read('constrained')
    .split(/(?<=-----END CERTIFICATE-----)/)
    .filter(pem => pem.trim() !== '')
    .map(pem => new X509Certificate(pem))
  const authorities = [new X509Certificate(read('authority'))]
  const dates = { notBefore: OCTOBER, notAfter: OCTOBER }
  const ask = (part: object) => findChainFault({ chain, authorities, host: HOST, ...dates, ...part })
  expect(ask({})).toBe('UNABLE_TO_GET_ISSUER_CERT_LOCALLY')
  expect(ask({ chain: [] })).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  expect(ask({ chain: authorities })).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  expect(ask({ chain: chain.slice(0, 1) })).toBe('UNABLE_TO_GET_ISSUER_CERT_LOCALLY')
  expect(ask({ chain, authorities: [] })).toBe('UNABLE_TO_GET_ISSUER_CERT_LOCALLY')
})

test('The channel is checked in the same way', async () => {
  const { port } = await serve('expired')
  onTestFinished(checkDatesByAgentTime(wrong))
  await callTwice(port)
  const ended = await new Promise<number | null>(resolve => {
    connectByWs(`wss://${HOST}:${port}/channel`, 'token', {
      onOpen: () => undefined,
      onPing: () => undefined,
      onMessage: () => undefined,
      onClose: ({ status }) => resolve(status),
    })
  })
  // The server is no WebSocket server, and answers like one that was reached.
  expect(ended).toBe(200)
})
