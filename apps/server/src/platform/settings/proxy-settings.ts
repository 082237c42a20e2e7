import { z } from 'zod'

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
