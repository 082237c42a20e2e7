import { Secret, TOTP } from 'otpauth'

// RFC 6238 as every authenticator app has it: SHA-1, six digits, 30 seconds. Apps ignore other values of the address.
const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
const RECOVERY_BYTES = 16
/** Steps before and after now whose code counts: phones are slow to type on, and their clocks differ. */
const WINDOW = 1

const totpOf = (secret: Secret, label: string) =>
  new TOTP({ issuer: 'Floorcast', label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS })

/** As the user types it: spaces, hyphens and case do not count. */
export const plainCode = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase()
/** Recovery codes are longer. */
export const isTotpCode = (code: string) => /^\d{6}$/.test(plainCode(code))

/** 128 random bits in base32, in groups that people can copy. */
export const makeRecoveryCode = (): string =>
  new Secret({ size: RECOVERY_BYTES }).base32.replaceAll(/(.{4})(?=.)/g, '$1-')

export const makeTotpSecret = (): Uint8Array => new Secret({ size: SECRET_BYTES }).bytes

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: new Uint8Array(bytes).buffer })

/** The secret in base32, and as an `otpauth:` address for a QR code. */
export function describeTotp(secret: Uint8Array, email: string): { secret: string; uri: string } {
  const made = secretOf(secret)
  return { secret: made.base32, uri: totpOf(made, email).toString() }
}

/** The 30-second step of the code, or null if the code is not of now. */
export function findTotpStep(secret: Uint8Array, code: string, now: Date): number | null {
  const delta = totpOf(secretOf(secret), '').validate({
    token: code,
    timestamp: now.getTime(),
    window: WINDOW,
  })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta
}
