import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { callbackify } from 'node:util'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/*
 * One call of a foreign address. The address is resolved and checked for each connection, so that a name cannot lead to a public one when it
 * is looked at and to a private one when it is called. Redirects are not followed; of the answer only the status is read.
 */

const DEADLINE_MS = 15_000

/** Addresses of special purpose (IANA): what is behind them is no other system's business. */
const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, prefix, 'ipv4')
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, prefix, 'ipv6')

/** Whether the internet routes an IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4')
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** The host of a URL, an IPv6 address without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

const refusal = (host: string) => new Error(`${host} is no public address`)

type Resolve = (host: string) => Promise<LookupAddress[]>

/** Asks the name servers. Node's own way would occupy a thread of few for as long as they are silent. */
const resolver = new Resolver({ timeout: 3000, tries: 2 })
const resolveName: Resolve = async host => {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  const listOf = (found: typeof four, family: 4 | 6) =>
    found.status === 'fulfilled' ? found.value.map(address => ({ address, family })) : []
  return [...listOf(four, 4), ...listOf(six, 6)]
}

/** Looks a name up for one connection, and fails where one of its addresses is not public. */
export const publicLookup =
  (resolve: Resolve = resolveName): LookupFunction =>
  (host, options, done) => {
    callbackify(resolve)(host, (error, found) => {
      if (error) return done(error, '')
      const [first] = found
      if (!first || found.some(({ address }) => !isPublicAddress(address))) done(refusal(host), '')
      else if (options.all) done(null, found)
      else done(null, first.address, first.family)
    })
  }

export interface Posted {
  /** Null: there was no answer. */
  status: number | null
  /** Null: it was taken. */
  failure: string | null
}

interface Post {
  url: string
  headers: Record<string, string>
  body: string
  mayBePrivate: boolean
  signal: AbortSignal
}

/** Posts a body. A refusal, a lost connection and 15 seconds without a status are failures; it throws nothing. */
export async function postEvent({ url, headers, body, mayBePrivate, signal }: Post): Promise<Posted> {
  try {
    const target = new URL(url)
    const host = hostOf(target)
    if (!mayBePrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw refusal(host)
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const request = (target.protocol === 'https:' ? https : http).request(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // A connection of its own, to the address that was just checked.
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
      ...(!mayBePrivate && { lookup: publicLookup() }),
    })
    request.on('error', reject).on('response', response => {
      resolve(response.statusCode ?? 0)
      response.on('error', () => undefined).destroy()
    })
    request.end(body)
    const status = await promise
    return { status, failure: status >= 200 && status < 300 ? null : `HTTP ${status}` }
  } catch (error) {
    return { status: null, failure: describe(error) }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `no answer within ${DEADLINE_MS / 1000} seconds`
  return error.message.slice(0, 200)
}
