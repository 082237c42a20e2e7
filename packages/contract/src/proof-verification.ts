import { PROOF_ENTRIES, ProofManifest } from './proof-file.ts'
import {
  CENTRAL_BYTES,
  concat,
  crc32Of,
  directoryOf,
  END_BYTES,
  headerOf,
  LOCAL_BYTES,
  LOCAL_SIGNATURE,
  type ProofEntry,
} from './proof-zip.ts'
import { Sha256 } from './sha256.ts'
import { UpdateSignature } from './update-signing.ts'

const MAX_MANIFEST_BYTES = 1024 * 1024
/** 64 bytes in base64 and a line feed. */
const SIGNATURE_BYTES = 89

/** A file to verify, read in pieces. */
export interface ProofSource {
  bytes: number
  /** The bytes from `start` to before `end`. */
  read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>
}

/** What Node and browsers each have of their own. */
export interface ProofCrypto {
  /** Lower-case hex. */
  sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>
  /** Ed25519; key and signature in base64. */
  verify: (signed: {
    publicKey: string
    signature: string
    message: Uint8Array<ArrayBuffer>
  }) => Promise<boolean>
}

/**
 * `no-proof`: the file is not such a zip; `container`: a byte between its entries differs; `manifest`: it cannot be read;
 * `signature`: the manifest or its signature differs from what was signed; `csv`: the csv differs; `other-key`: another key than
 * the expected one signed it.
 */
export const proofFaults = ['no-proof', 'container', 'manifest', 'signature', 'csv', 'other-key'] as const
export type ProofFault = (typeof proofFaults)[number]

export interface ProofVerdict {
  /** Empty: each byte is as it was signed with the key in the manifest. */
  faults: ProofFault[]
  /** What the manifest says, also where it is not signed so; null if it cannot be read. */
  manifest: ProofManifest | null
}

interface VerifyOptions {
  /** The key that must have signed, in base64. */
  expectedKey?: string | undefined
  /** Called with the part of the csv that is verified, 0 to 1. */
  onProgress?: (part: number) => void
  signal?: AbortSignal | undefined
}

interface Parts {
  csv: { start: number; end: number }
  manifest: Uint8Array<ArrayBuffer>
  signature: Uint8Array<ArrayBuffer>
  /** The headers as they are, without the file's end. */
  headers: Uint8Array<ArrayBuffer>[]
  tail: Uint8Array<ArrayBuffer>
}

/** An entry's header and its place, if this is the entry. */
async function readHeader({ bytes, read }: ProofSource, start: number, name: string) {
  const begin = start + LOCAL_BYTES + name.length
  if (begin > bytes) return null
  const header = await read(start, begin)
  const view = new DataView(header.buffer, header.byteOffset)
  if (view.getUint32(0, true) !== LOCAL_SIGNATURE) return null
  if (new TextDecoder().decode(header.subarray(LOCAL_BYTES)) !== name) return null
  const end = begin + view.getUint32(18, true)
  return end > bytes ? null : { header, begin, end }
}

async function splitProof(source: ProofSource): Promise<Parts | 'no-proof' | 'container'> {
  const csv = await readHeader(source, 0, PROOF_ENTRIES.csv)
  if (!csv) return 'no-proof'
  const manifest = await readHeader(source, csv.end, PROOF_ENTRIES.manifest)
  if (!manifest || manifest.end - manifest.begin > MAX_MANIFEST_BYTES) return 'container'
  const signature = await readHeader(source, manifest.end, PROOF_ENTRIES.signature)
  if (!signature || signature.end - signature.begin !== SIGNATURE_BYTES) return 'container'
  const names = Object.values(PROOF_ENTRIES)
  const tailBytes = names.reduce((sum, name) => sum + CENTRAL_BYTES + name.length, END_BYTES)
  if (source.bytes !== signature.end + tailBytes) return 'container'
  return {
    csv: { start: csv.begin, end: csv.end },
    manifest: await source.read(manifest.begin, manifest.end),
    signature: await source.read(signature.begin, signature.end),
    headers: [csv.header, manifest.header, signature.header],
    tail: await source.read(signature.end, source.bytes),
  }
}

function parseManifest(bytes: Uint8Array): ProofManifest | null {
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return ProofManifest.safeParse(json).data ?? null
  } catch {
    return null
  }
}

const isSame = (a: Uint8Array, b: Uint8Array) =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

/** Whether the bytes between the entries are those that the format has. The csv's checksum is the signed one. */
function isContainerWhole({ csv, manifest, signature, headers, tail }: Parts, crc32: number): boolean {
  const entries: ProofEntry[] = [
    { name: PROOF_ENTRIES.csv, bytes: csv.end - csv.start, crc32 },
    { name: PROOF_ENTRIES.manifest, bytes: manifest.length, crc32: crc32Of(manifest) },
    { name: PROOF_ENTRIES.signature, bytes: signature.length, crc32: crc32Of(signature) },
  ]
  return isSame(concat([...headers, tail]), concat([...entries.map(headerOf), directoryOf(entries)]))
}

async function isSigned(
  { manifest, signature }: Parts,
  publicKey: string,
  crypto: ProofCrypto,
): Promise<boolean> {
  const text = new TextDecoder().decode(signature)
  if (!text.endsWith('\n') || !UpdateSignature.safeParse(text).success || text.trim().length !== 88)
    return false
  return crypto.verify({ publicKey, signature: text.trim(), message: manifest })
}

async function isCsvWhole(
  source: ProofSource,
  { csv, file }: { csv: Parts['csv']; file: ProofManifest['file'] },
  { crypto, options }: { crypto: ProofCrypto; options: VerifyOptions },
): Promise<boolean> {
  if (csv.end - csv.start !== file.bytes) return false
  if (file.parts.length !== Math.ceil(file.bytes / file.partBytes)) return false
  const whole = new Sha256()
  for (const [index, sha256] of file.parts.entries()) {
    options.signal?.throwIfAborted()
    const start = csv.start + index * file.partBytes
    const part = await source.read(start, Math.min(start + file.partBytes, csv.end))
    if ((await crypto.sha256(part)) !== sha256) return false
    whole.update(part)
    options.onProgress?.((index + 1) / file.parts.length)
  }
  // The hash that other tools print and the audit has. Of the right parts it differs only in a manifest that was made so.
  return whole.digest() === file.sha256
}

const fromBase64 = (text: string) => Uint8Array.from(atob(text), sign => sign.charCodeAt(0))

/** The id of a public key in base64. */
export const keyIdOf = async (publicKey: string, { sha256 }: ProofCrypto): Promise<string> =>
  (await sha256(fromBase64(publicKey))).slice(0, 16)

/**
 * Verifies a proof with the key in its manifest. Whose key that is, the file itself cannot prove: compare it with the
 * client's (`readProofKeys`), or give `expectedKey`. Holds 4 MiB at a time.
 */
export async function verifyProof(
  source: ProofSource,
  crypto: ProofCrypto,
  options: VerifyOptions = {},
): Promise<ProofVerdict> {
  const parts = await splitProof(source)
  if (typeof parts === 'string') return { faults: [parts], manifest: null }
  const manifest = parseManifest(parts.manifest)
  if (!manifest) return { faults: ['manifest'], manifest: null }
  const { publicKey, keyId, file } = manifest
  const faults: ProofFault[] = []
  if (!isContainerWhole(parts, file.crc32)) faults.push('container')
  if (!(await isSigned(parts, publicKey, crypto)) || keyId !== (await keyIdOf(publicKey, crypto)))
    faults.push('signature')
  if (!(await isCsvWhole(source, { csv: parts.csv, file }, { crypto, options }))) faults.push('csv')
  if (options.expectedKey !== undefined && options.expectedKey !== publicKey) faults.push('other-key')
  return { faults, manifest }
}
