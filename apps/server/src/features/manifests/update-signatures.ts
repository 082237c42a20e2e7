import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { SignatureState } from '@floorcast/contract/update-files.ts'
import { signedTextOf } from '@floorcast/contract/update-signing.ts'

interface Signed {
  sha256: string
  signature: string | null
  statement: string | null
  statementSignature: string | null
}

const isSigned = (text: string, signature: string, key: KeyObject): boolean =>
  verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))

/** Checks both signatures of a file by the client's public key, which is in base64, as they are. */
export function getSignatureState(file: Signed, publicKey: string | null): SignatureState {
  const { sha256, signature, statement, statementSignature } = file
  if (signature === null) return 'missing'
  if (publicKey === null) return 'unchecked'
  const x = Buffer.from(publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const isValid =
    isSigned(signedTextOf(sha256), signature, key) &&
    (statement === null || isSigned(statement, statementSignature ?? '', key))
  return isValid ? 'valid' : 'wrong'
}

/** Whether each of a package's files has the signatures of the client's present key. */
export const areSigned = (files: readonly Signed[], publicKey: string | null): boolean =>
  files.length > 0 && files.every(file => getSignatureState(file, publicKey) === 'valid')
