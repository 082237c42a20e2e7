import { randomInt } from 'node:crypto'

/** Letters and digits that nobody mistakes for another, on paper or by telephone: no 0 O 1 I L, no U V. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTWXYZ'
const GROUPS = 5
const SIGNS_A_GROUP = 5

/**
 * A license key: five groups of five signs, 121 random bits, such as `7KQ2M-XA4TR-…`. It is stored in clear, because
 * users read it from the device's card until a player binds it; a bound key opens nothing for another player.
 */
export function makeLicenseKey(): string {
  const group = () => Array.from({ length: SIGNS_A_GROUP }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}
