import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { signedTextOf } from '@floorcast/contract/update-signing.ts'

/** A key pair for update files: the public one as the console takes it, and signing by the private one. */
export function makeUpdateKeys(pair = generateKeyPairSync('ed25519')) {
  const publicKey = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString(
    'base64',
  )
  return { publicKey, signFile: (bytes: Uint8Array) => signFile(bytes, pair.privateKey) }
}

export type UpdateKeys = ReturnType<typeof makeUpdateKeys>

function signFile(bytes: Uint8Array, key: KeyObject): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return sign(null, Buffer.from(signedTextOf(sha256)), key).toString('base64')
}
