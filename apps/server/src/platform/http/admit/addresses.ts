import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** False, the number of proxies in a row, or their addresses and networks, separated by commas. */
export type TrustProxy = false | number | string

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** The first half of an IPv6 address is the network of one customer. */
const NETWORK_GROUPS = 4

const groupsOf = (part: string) => (part === '' ? [] : part.split(':'))

/**
 * The key by which limits count an address: an IPv4 address itself, the /64 network of an IPv6 address. A customer has at
 * least a /64, and could otherwise use 2^64 addresses.
 */
export function toAddressKey(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = MAPPED_IPV4.exec(plain)?.[1]
  if (mapped) return mapped
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')]
  // An IPv4 address at the end stands for two groups.
  const lastCount = last.length + (plain.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? 0 : 8 - first.length - lastCount
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  const network = groups.slice(0, NETWORK_GROUPS).map(group => parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** The key by which limits count the caller of a request. */
export const callerAddress = (request: FastifyRequest) => toAddressKey(request.ip)

/** Makes a test of whether a connection's address is one of the installation's reverse proxies. */
export function makeProxyTest(trustProxy: TrustProxy): (address: string) => boolean {
  if (typeof trustProxy !== 'string') return () => trustProxy !== false
  const list = new BlockList()
  for (const part of trustProxy.split(',').map(text => text.trim())) {
    const [address = '', bits] = part.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return address => {
    const [plain = ''] = address.split('%')
    const mapped = MAPPED_IPV4.exec(plain)?.[1] ?? plain
    return list.check(mapped, isIPv4(mapped) ? 'ipv4' : 'ipv6')
  }
}

/** The setting as Fastify takes it, which trusts the first addresses of a number. */
export const toProxyTrust = (trustProxy: TrustProxy) =>
  typeof trustProxy === 'number' ? (_: string, hop: number) => hop < trustProxy : trustProxy
