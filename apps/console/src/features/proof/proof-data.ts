import { CallError } from '@floorcast/contract/client.ts'
import { readProofKeys } from '@floorcast/contract/proof.ts'
import { findKeyState, type ProofKeyState } from '@floorcast/contract/proof-key-state.ts'
import type { ProofManifest } from '@floorcast/contract/proof-file.ts'
import { type ProofCrypto, type ProofFault, verifyProof } from '@floorcast/contract/proof-verification.ts'
import { call } from '../../platform/client.ts'

const ED25519 = 'Ed25519'

const fromBase64 = (text: string) => Uint8Array.from(atob(text), sign => sign.charCodeAt(0))

/** The browser's own functions. They work beside the page, so it does not freeze. */
const webCrypto: ProofCrypto = {
  sha256: async bytes => {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('')
  },
  verify: async ({ publicKey, signature, message }) => {
    const key = await crypto.subtle.importKey('raw', fromBase64(publicKey), ED25519, false, ['verify'])
    return crypto.subtle.verify(ED25519, key, fromBase64(signature), message)
  },
}

/**
 * The signer by the client's keys on this server; `unknown`: this server does not know the client; `not-asked`: the
 * server did not answer.
 */
export type KeyOwner = ProofKeyState['state'] | 'unknown' | 'not-asked'

export interface CheckedProof {
  faults: ProofFault[]
  manifest: ProofManifest | null
  owner: KeyOwner
  /** The client's name by this server. */
  clientName: string | null
  /** The time from which the key is compromised; null: it is not. */
  compromisedSince: string | null
}

/** Why a file could not be checked at all. */
export type CheckFailure = 'insecure' | 'old-browser' | 'unreadable'

export class CheckError extends Error {
  readonly failure: CheckFailure
  constructor(failure: CheckFailure, cause?: unknown) {
    super(failure, { cause })
    this.name = 'CheckError'
    this.failure = failure
  }
}

type Owner = Pick<CheckedProof, 'owner' | 'clientName' | 'compromisedSince'>

async function findOwner(manifest: ProofManifest): Promise<Owner> {
  try {
    const { client, keys } = await call(readProofKeys, { params: { client: manifest.client.uid } })
    const found = findKeyState(manifest, { keys })
    const compromisedSince = found.state === 'compromised' ? found.since : null
    return { owner: found.state, clientName: client.name, compromisedSince }
  } catch (error) {
    const isUnknown = error instanceof CallError && error.status === 404
    return { owner: isUnknown ? 'unknown' : 'not-asked', clientName: null, compromisedSince: null }
  }
}

/** Verifies a file here; the server is asked for the client's keys only. @throws CheckError; an AbortError when cancelled */
export async function checkProof(
  file: File,
  options: { onProgress: (part: number) => void; signal: AbortSignal },
): Promise<CheckedProof> {
  // Browsers give no cryptography to pages without https.
  if (!isSecureContext) throw new CheckError('insecure')
  const source = {
    bytes: file.size,
    read: async (start: number, end: number) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
  }
  try {
    const verdict = await verifyProof(source, webCrypto, options)
    const nobody: Owner = { owner: 'not-asked', clientName: null, compromisedSince: null }
    const isWhole = verdict.manifest !== null && verdict.faults.length === 0
    return { ...verdict, ...(isWhole && verdict.manifest ? await findOwner(verdict.manifest) : nobody) }
  } catch (error) {
    if (options.signal.aborted) throw error
    const isUnsupported = error instanceof DOMException && error.name === 'NotSupportedError'
    throw new CheckError(isUnsupported ? 'old-browser' : 'unreadable', error)
  }
}
