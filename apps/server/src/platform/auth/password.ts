import { hash, verify } from '@node-rs/argon2'
import { passwordCost } from './password-cost.ts'

let decoy: Promise<string> | undefined

/** Stored for users who have set no password yet. No password matches it. */
export const NO_PASSWORD = 'none'

/**
 * The bytes of a password: NFKC, as NIST SP 800-63B says. Keyboards differ in how they make an accented letter, of one character or
 * of two.
 */
const normalize = (password: string) => password.normalize('NFKC')

/** The argon2id hash of a password, salted, with its parameters in it. */
export const hashPassword = (password: string): Promise<string> => hash(normalize(password), passwordCost)

/**
 * True if the password matches the stored hash. For an unknown email (null) it takes as long as for a known one, so that
 * the time does not reveal which emails exist. A hash from before passwords were normalized fits the password as it was typed then.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  decoy ??= hash('no password has this hash', passwordCost)
  const known = stored === NO_PASSWORD ? null : stored
  const wanted = known ?? (await decoy)
  const forms = new Set([normalize(password), password, password.normalize('NFC'), password.normalize('NFD')])
  let fits = false
  for (const form of forms) fits = (await verify(wanted, form)) || fits
  return known !== null && fits
}
