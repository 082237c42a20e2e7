import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  type AddressStatement,
  addressTextOf,
  type SignedAddress,
} from '@floorcast/contract/server-address.ts'
import {
  joinSignature,
  signedTextOf,
  statementTextOf,
  type UpdateStatement,
} from '@floorcast/contract/update-signing.ts'

/** A key pair for update files: the public one as the console takes it, and signing by the private one. */
export function makeUpdateKeys(pair = generateKeyPairSync('ed25519')) {
  const publicKey = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString(
    'base64',
  )
  const signText = (text: string) => signTextBy(text, pair.privateKey)
  /** The signature of a former release's tool. */
  const signFile = (bytes: Uint8Array) => signText(signedTextOf(hashOf(bytes)))
  const signStatement = (statement: UpdateStatement) => {
    const text = statementTextOf(statement)
    return { text, signature: signText(text) }
  }
  const signAddress = (statement: AddressStatement): SignedAddress => {
    const text = addressTextOf(statement)
    return { text, signature: signText(text) }
  }
  /** The line of FILE.sig. */
  const signLine = (bytes: Uint8Array, claims: Partial<UpdateStatement> = {}) =>
    joinSignature({ signature: signFile(bytes), statement: signStatement(statementOf(bytes, claims)) })
  return { publicKey, signText, signFile, signStatement, signAddress, signLine }
}

export type UpdateKeys = ReturnType<typeof makeUpdateKeys>

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The statement of these bytes, with a fixed rest. */
export const statementOf = (bytes: Uint8Array, claims: Partial<UpdateStatement> = {}): UpdateStatement => ({
  name: 'player.mjs',
  version: '2.999.0',
  machines: [],
  counter: 1,
  isDowngrade: false,
  sizeBytes: bytes.length,
  sha256: hashOf(bytes),
  ...claims,
})

const signTextBy = (text: string, key: KeyObject): string =>
  sign(null, Buffer.from(text), key).toString('base64')
