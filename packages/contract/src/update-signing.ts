import { z } from 'zod'
import { UpdateVersion } from './update-versions.ts'

/** An Ed25519 public key: its 32 bytes in base64, as `npm run sign-update -- --make-key` prints it. */
export const UpdateKey = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, 'update-key')

const SIGNATURE = '[A-Za-z0-9+/]{85}[AQgw]=='
const BASE64 = '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?'

/**
 * The line of FILE.sig: the signature of `signedTextOf`, which agents of the last two releases check; then the statement and
 * its signature, each in base64. Tools of former releases wrote the first part only.
 */
export const UpdateSignature = z
  .string()
  .trim()
  .max(2000, 'update-signature')
  .regex(new RegExp(`^${SIGNATURE}(?: ${BASE64} ${SIGNATURE})?$`), 'update-signature')

/**
 * The text of a former release's signature, in UTF-8. It has the file's SHA-256 (lower-case hex), so that signing and checking
 * need no file, and a purpose, so that other signatures of the key are not valid for files.
 */
export const signedTextOf = (sha256: string): string => `floorcast update file\nsha256 ${sha256}\n`

/** What the holder of the private key says of an update file. */
export interface UpdateStatement {
  /** The name of the file. */
  name: string
  /** The version of the package. */
  version: string
  /** The machines that may install it, such as linux-arm64; empty: all. */
  machines: readonly string[]
  /** Higher than that of each former statement of the key: sign-update takes the seconds since 1970. */
  counter: number
  /** Whether devices may go to it from a higher version. */
  isDowngrade: boolean
  sizeBytes: number
  /** Lower-case hex. */
  sha256: string
}

/** A kind of machine by Node's names of platform and architecture. */
export const MACHINE = /^(?:linux|darwin|win32|freebsd|android)-(?:x64|arm64|arm|ia32|riscv64|ppc64|s390x)$/

/** The text that is signed, in UTF-8. Its first line is its purpose. */
export const statementTextOf = (statement: UpdateStatement): string =>
  [
    'floorcast player update',
    `name ${statement.name}`,
    `version ${statement.version}`,
    `machines ${statement.machines.length === 0 ? 'any' : statement.machines.join(',')}`,
    `counter ${statement.counter}`,
    `downgrade ${statement.isDowngrade ? 'yes' : 'no'}`,
    `size ${statement.sizeBytes}`,
    `sha256 ${statement.sha256}`,
    '',
  ].join('\n')

const STATEMENT = new RegExp(
  [
    '^floorcast player update',
    String.raw`name (?<name>\P{Cc}{1,255})`,
    String.raw`version (?<version>\S{1,60})`,
    'machines (?<machines>[a-z0-9,-]{3,300})',
    String.raw`counter (?<counter>[1-9]\d{0,14})`,
    'downgrade (?<downgrade>yes|no)',
    String.raw`size (?<size>[1-9]\d{0,14})`,
    'sha256 (?<sha256>[0-9a-f]{64})',
    '$',
  ].join('\n'),
  'u',
)

/** Reads the text of a statement; null for any other text, and for one that `statementTextOf` would write otherwise. */
export function parseStatement(text: string): UpdateStatement | null {
  const fields = STATEMENT.exec(text)?.groups
  if (!fields) return null
  const { name = '', version = '', machines = '', counter, downgrade, size, sha256 = '' } = fields
  const names = machines === 'any' ? [] : machines.split(',')
  if (!UpdateVersion.safeParse(version).success || !names.every(each => MACHINE.test(each))) return null
  const isDowngrade = downgrade === 'yes'
  const numbers = { counter: Number(counter), sizeBytes: Number(size) }
  return { name, version, machines: names, isDowngrade, sha256, ...numbers }
}

/** The signatures of a file: both are over texts, and in base64. */
export interface UpdateSignatures {
  signature: string
  /** Null: it was signed by a former release's tool. */
  statement: { text: string; signature: string } | null
}

/** Takes the line of FILE.sig apart. The texts are not checked. @throws TypeError if the statement is not UTF-8 */
export function splitSignature(line: string): UpdateSignatures {
  const [signature = '', text, statementSignature = ''] = line.trim().split(' ')
  if (text === undefined) return { signature, statement: null }
  const bytes = Uint8Array.from(atob(text), each => each.codePointAt(0) ?? 0)
  const decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  return { signature, statement: { text: decoded, signature: statementSignature } }
}

/** The line of FILE.sig. */
export function joinSignature({ signature, statement }: UpdateSignatures): string {
  if (!statement) return signature
  const bytes = new TextEncoder().encode(statement.text)
  return `${signature} ${btoa(String.fromCodePoint(...bytes))} ${statement.signature}`
}
