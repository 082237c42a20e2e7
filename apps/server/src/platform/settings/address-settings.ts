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

/** Stands in STREAM_URL for the uid of a client, which is a label of DNS, never changes, and is the same on every server of a client. */
const CLIENT_PLACE = '{client}'
const SOME_CLIENT = '00000000-0000-4000-8000-000000000000'
const CLIENT_FORM = /^https?:\/\/\{client\}\.[^{}]+$/i

/** An address of a host, where `{client}` may be the first part of the host's name. */
export const ClientAddress = z
  .string()
  .superRefine((text, issues) => {
    const message =
      /[{}]/.test(text) && !CLIENT_FORM.test(text)
        ? 'may have {client} once, as the first part of the host: https://{client}.stream.example'
        : whyNoBase(text.replace(CLIENT_PLACE, SOME_CLIENT))
    if (message !== null) issues.addIssue({ code: 'custom', message })
  })
  .transform(text => text.replace(/\/+$/, ''))

/** Whether each client has an address of its own. */
export const isByClient = (address: string): boolean => address.includes(CLIENT_PLACE)

/** A client's own address. */
export const addressOf = (address: string, clientId: string): string =>
  address.replace(CLIENT_PLACE, clientId)

/** The address of some client, by which one can see whether the names of all clients lead here. */
export const sampleAddressOf = (address: string): string => addressOf(address, SOME_CLIENT)

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
