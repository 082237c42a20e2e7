import { z } from 'zod'

/** An Ed25519 public key: its 32 bytes in base64, as `npm run sign-update -- --make-key` prints it. */
export const UpdateKey = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, 'update-key')

/** An Ed25519 signature: its 64 bytes in base64, as it stands in FILE.sig. */
export const UpdateSignature = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9+/]{85}[AQgw]==$/, 'update-signature')

/**
 * The text that a signature of an update file signs, in UTF-8. It has the file's SHA-256 (lower-case hex), so that signing and
 * checking need no file, and a purpose, so that other signatures of the key are not valid for files.
 */
export const signedTextOf = (sha256: string): string => `floorcast update file\nsha256 ${sha256}\n`
