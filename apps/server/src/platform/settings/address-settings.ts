import { z } from 'zod'

/** A host goes into the Content-Security-Policy, where `*` and `;` have a meaning. IPv6 stands in brackets. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i

/** The address, if it is http or https, of one host, and names no user. */
function parseAddress(text: string): URL | null {
  const url = URL.parse(text)
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && HOST.test(url.hostname)
  return isAddress && url.username === '' && url.password === '' ? url : null
}

function whyNoBase(text: string): string | null {
  const url = parseAddress(text)
  if (url === null) return 'must be an http or https address'
  return /[?#]/.test(text) ? 'must be an address without ? and #' : null
}

/** The address of a host, with a path or without; it loses the slashes at its end. */
export const BaseAddress = z
  .string()
  .superRefine((text, issues) => {
    const message = whyNoBase(text)
    if (message !== null) issues.addIssue({ code: 'custom', message })
  })
  .transform(text => text.replace(/\/+$/, ''))

function whyNoOrigin(text: string): string | null {
  const origin = parseAddress(text)?.origin
  if (origin === undefined)
    return `must be origins such as https://console.example: ${text || 'nothing'} is none`
  return origin === text ? null : `must be exact origins: write ${origin} for ${text}`
}

const listOf = (text: string) => text.split(',').map(part => part.trim())

/** Exact origins, separated by commas. Wildcards are refused. */
export const OriginList = z
  .string()
  .superRefine((text, issues) => {
    for (const message of listOf(text).map(whyNoOrigin))
      if (message !== null) issues.addIssue({ code: 'custom', message })
  })
  .transform(listOf)

const NetworkAddress = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
const areAddresses = (text: string) =>
  text.split(',').every(part => NetworkAddress.safeParse(part.trim()).success)

/** More proxies in a row are a mistake. */
const MAX_HOPS = 10
const HOPS = /^[1-9]\d?$/

function whyNotTrusted(text: string): string | null {
  if (text === 'true')
    return 'no longer takes true, with which anyone could choose an address. Write the address of your proxy (127.0.0.1), or how many proxies stand in front (1)'
  if (text === 'false' || areAddresses(text) || (HOPS.test(text) && Number(text) <= MAX_HOPS)) return null
  return `must be false, a number of proxies (1 to ${MAX_HOPS}), or IP addresses and networks (10.0.0.0/8) separated by commas`
}

/** False, the number of proxies in a row, or their addresses and networks, separated by commas. */
export const TrustProxy = z
  .string()
  .superRefine((text, issues) => {
    const message = whyNotTrusted(text)
    if (message !== null) issues.addIssue({ code: 'custom', message })
  })
  .default('false')
  .transform((text): false | number | string => {
    if (text === 'false') return false
    return HOPS.test(text) ? Number(text) : text
  })
