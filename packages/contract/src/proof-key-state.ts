import type { ProofKeys } from './proof.ts'
import type { ProofManifest } from './proof-file.ts'

/**
 * What the client's keys say of a whole proof. `own`: signed with a key of the client while it signed; `foreign`: with no key of the
 * client, or after it was retired; `compromised`: with one that others may have. When it was signed, only the file itself says.
 */
export type ProofKeyState =
  | { state: 'own' | 'foreign' }
  | { state: 'compromised'; since: string; isSaidEarlier: boolean }

export function findKeyState(
  manifest: Pick<ProofManifest, 'publicKey' | 'madeAt'>,
  { keys }: Pick<ProofKeys, 'keys'>,
): ProofKeyState {
  const key = keys.find(({ publicKey }) => publicKey === manifest.publicKey)
  const madeAt = Date.parse(manifest.madeAt)
  if (!key) return { state: 'foreign' }
  const { compromisedSince: since, retiredAt } = key
  if (since !== null) return { state: 'compromised', since, isSaidEarlier: madeAt < Date.parse(since) }
  return { state: retiredAt === null || madeAt <= Date.parse(retiredAt) ? 'own' : 'foreign' }
}
