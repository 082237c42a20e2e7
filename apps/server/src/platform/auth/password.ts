import { hash, verify } from '@node-rs/argon2'

// argon2id, 19 MiB, 2 passes: the package's defaults, and OWASP's first recommendation.
let decoy: Promise<string> | undefined

/** Stored for users who have set no password yet. It matches none. */
export const NO_PASSWORD = 'none'

/** The argon2id hash of a password, salted, with its parameters in it. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/**
 * True if the password matches the stored hash. For an unknown email (null) it takes as long as for a known one, so that
 * the time does not reveal which emails exist.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  decoy ??= hash('no password has this hash')
  const known = stored === NO_PASSWORD ? null : stored
  const fits = await verify(known ?? (await decoy), password)
  return known !== null && fits
}
