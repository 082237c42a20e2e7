import { createPublicKey, verify } from 'node:crypto'
import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { parseStatement, type UpdateStatement } from '@floorcast/contract/update-signing.ts'

type UpdateFile = ManifestUpdate['files'][number]

/** Whether a signature of a text is one of this key; both are base64, of 64 and 32 bytes. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const x = Buffer.from(publicKey, 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** The statement of the key's holder about a file. @throws Error with the reason to refuse it */
export function readStatement(file: UpdateFile, publicKey: string): UpdateStatement {
  const { name, statement, signature } = file
  if (!statement && signature === null) throw new Error(`${name} is not signed`)
  if (!statement)
    throw new Error(`${name} has only a signature of former releases: sign it by the sign-update of this one`)
  if (!isSignedBy(publicKey, statement.text, statement.signature))
    throw new Error(`The signature of ${name} is not one of this agent's key`)
  const said = parseStatement(statement.text)
  if (!said) throw new Error(`${name} is not signed as a player program`)
  if (said.name !== name || said.sha256 !== file.sha256 || said.sizeBytes !== file.sizeBytes)
    throw new Error(`${name} is not the file that was signed`)
  return said
}
