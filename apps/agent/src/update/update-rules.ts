import { createPublicKey, verify } from 'node:crypto'
import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { signedTextOf } from '@floorcast/contract/update-signing.ts'
import { compareVersions, UpdateVersion } from '@floorcast/contract/update-versions.ts'

/** What decides whether a device installs an update. */
export interface UpdateTarget {
  version: string
  /** The SHA-256 of the running program's file. */
  programHash: string | null
  /** The public key of the installation; null: none. */
  publicKey: string | null
  /** The platform and the architecture by Node's names: linux-arm64. */
  machine: string
  hasInstallCommand: boolean
}

/** `held`: there is nothing to do. */
export type UpdateDecision = { kind: 'held' | 'wanted' } | { kind: 'refused'; why: string }

/** A word of a package's category that names a kind of machine. */
const MACHINE = /^(linux|darwin|win32|freebsd|android)-(x64|arm64|arm|ia32|riscv64|ppc64|s390x)$/

const refuse = (why: string): UpdateDecision => ({ kind: 'refused', why })

/** Whether a file's signature is one of this key, which is base64 of 32 bytes. */
export function isSignedBy(
  publicKey: string,
  { sha256, signature }: Pick<ManifestUpdate['files'][number], 'sha256' | 'signature'>,
): boolean {
  try {
    const x = Buffer.from(publicKey, 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(signedTextOf(sha256)), key, Buffer.from(signature ?? '', 'base64'))
  } catch {
    return false
  }
}

function checkVersion({ version, isForced, files }: ManifestUpdate, target: UpdateTarget): UpdateDecision {
  if (!UpdateVersion.safeParse(version).success) return refuse(`'${version}' is no version`)
  const difference = compareVersions(version, target.version)
  if (difference === 0) {
    const isSame = files.length === 1 && files[0]?.sha256 === target.programHash
    return { kind: isForced && !isSame ? 'wanted' : 'held' }
  }
  if (difference > 0 || isForced) return { kind: 'wanted' }
  return refuse(`It is lower than the installed version ${target.version}, and not forced`)
}

/** Decides on the update of a manifest, before anything of it is downloaded. */
export function decideUpdate(update: ManifestUpdate, target: UpdateTarget): UpdateDecision {
  const decision = checkVersion(update, target)
  if (decision.kind !== 'wanted') return decision
  const machines = update.category
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(word => MACHINE.test(word))
  if (machines.length > 0 && !machines.includes(target.machine))
    return refuse(`It is for ${machines.join(', ')}, and this machine is ${target.machine}`)
  if (!target.hasInstallCommand) return refuse('This agent has no install command')
  const { publicKey } = target
  if (publicKey === null) return refuse('This agent has no public key for updates')
  if (update.files.length === 0) return refuse('It has no file')
  const unsigned = update.files.find(({ signature }) => signature === null)
  if (unsigned) return refuse(`${unsigned.name} is not signed`)
  const strange = update.files.find(file => !isSignedBy(publicKey, file))
  return strange
    ? refuse(`The signature of ${strange.name} is not one of this agent's key`)
    : { kind: 'wanted' }
}
