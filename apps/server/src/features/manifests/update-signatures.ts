import { createPublicKey, verify } from 'node:crypto'
import type { SignatureState } from '@floorcast/contract/update-files.ts'
import { signedTextOf } from '@floorcast/contract/update-signing.ts'

interface Signed {
  sha256: string
  signature: string | null
}

/** Checks a file's signature by the client's public key; both are in base64. */
export function getSignatureState({ sha256, signature }: Signed, publicKey: string | null): SignatureState {
  if (signature === null) return 'missing'
  if (publicKey === null) return 'unchecked'
  const x = Buffer.from(publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const isValid = verify(null, Buffer.from(signedTextOf(sha256)), key, Buffer.from(signature, 'base64'))
  return isValid ? 'valid' : 'wrong'
}

/** Whether each of a package's files has a signature of the client's present key. */
export const areSigned = (files: readonly Signed[], publicKey: string | null): boolean =>
  files.length > 0 && files.every(file => getSignatureState(file, publicKey) === 'valid')
