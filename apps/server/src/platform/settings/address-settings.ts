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

/** Exact origins, separated by commas. Wildcards are none. */
export const OriginList = z
  .string()
  .superRefine((text, issues) => {
    for (const message of listOf(text).map(whyNoOrigin))
      if (message !== null) issues.addIssue({ code: 'custom', message })
  })
  .transform(listOf)
