import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { MACHINE, type UpdateStatement } from '@floorcast/contract/update-signing.ts'
import { compareVersions, UpdateVersion } from '@floorcast/contract/update-versions.ts'
import type { SignedVersion } from './signed-version.ts'
import { readStatement } from './update-signatures.ts'

/** The state that decides whether a device installs an update. */
export interface UpdateTarget {
  version: string
  /** The SHA-256 of the running program's file. */
  programHash: string | null
  /** The public key of the installation; null: none. */
  publicKey: string | null
  /** The platform and the architecture by Node's names: linux-arm64. */
  machine: string
  hasInstallCommand: boolean
  /** The highest version that ran well, with the counter of its statement. */
  highest: SignedVersion
}

/** `held`: there is nothing to do. A wanted update has the version and the counter of its statements. */
export type UpdateDecision =
  | { kind: 'held' }
  | { kind: 'wanted'; signed: SignedVersion }
  | { kind: 'refused'; why: string }

const refuse = (why: string): UpdateDecision => ({ kind: 'refused', why })

type Files = ManifestUpdate['files']

const isSame = (files: Files, { programHash }: UpdateTarget) =>
  files.length === 1 && files[0]?.sha256 === programHash
/** Only then another build of the same version can be told from the running one. */
const isOneFile = (files: Files, { programHash }: UpdateTarget) => files.length === 1 && programHash !== null

/** The decision by the server's words alone; null: the signed ones decide. */
function checkOffer(update: ManifestUpdate, target: UpdateTarget): UpdateDecision | null {
  const { version, isForced, files, category } = update
  if (!UpdateVersion.safeParse(version).success) return refuse(`'${version}' is no version`)
  const difference = compareVersions(version, target.version)
  if (difference === 0 && (isSame(files, target) || !(isForced || isOneFile(files, target))))
    return { kind: 'held' }
  if (difference < 0 && !isForced)
    return refuse(`It is lower than the installed version ${target.version}, and not forced`)
  const machines = category
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(word => MACHINE.test(word))
  return checkMachines(machines, target)
}

const checkMachines = (machines: readonly string[], { machine }: UpdateTarget): UpdateDecision | null =>
  machines.length > 0 && !machines.includes(machine)
    ? refuse(`It is for ${machines.join(', ')}, and this machine is ${machine}`)
    : null

/** A server can neither bring back what was signed before, nor call it something else. */
function checkStatement(said: UpdateStatement, version: string, target: UpdateTarget): UpdateDecision | null {
  const { highest } = target
  if (said.version !== version)
    return refuse(`${said.name} is signed as version ${said.version}, but the package says ${version}`)
  const difference = compareVersions(said.version, highest.version)
  const isOlder = said.counter < highest.counter || (said.counter === highest.counter && difference !== 0)
  if (isOlder)
    return refuse(
      `It was signed before version ${highest.version} of this device (counter ${said.counter}, not ${highest.counter} or more): sign it again`,
    )
  if (difference < 0 && !said.isDowngrade)
    return refuse(
      `It is lower than the version ${highest.version} of this device, and not signed as a downgrade`,
    )
  return checkMachines(said.machines, target)
}

/** Decides on the update of a manifest, before anything of it is downloaded. */
export function decideUpdate(update: ManifestUpdate, target: UpdateTarget): UpdateDecision {
  const decision = checkOffer(update, target)
  if (decision) return decision
  if (!target.hasInstallCommand) return refuse('This agent has no install command')
  const { publicKey } = target
  if (publicKey === null) return refuse('This agent has no public key for updates')
  let counter = 0
  for (const file of update.files) {
    let said: UpdateStatement
    try {
      said = readStatement(file, publicKey)
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error))
    }
    const refusal = checkStatement(said, update.version, target)
    if (refusal) return refusal
    counter = counter === 0 ? said.counter : Math.min(counter, said.counter)
  }
  if (counter === 0) return refuse('It has no file')
  // Another build of the running version: the one that was signed later is the newer one.
  const isBuild = !update.isForced && compareVersions(update.version, target.version) === 0
  if (isBuild && counter <= target.highest.counter) return { kind: 'held' }
  return { kind: 'wanted', signed: { version: update.version, counter } }
}
