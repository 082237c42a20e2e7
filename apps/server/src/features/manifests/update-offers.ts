import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { compareVersions } from '@floorcast/contract/update-versions.ts'
import type { ClientScope, Reads } from '../../platform/database/client-scope.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import type { FileResponse } from '../../platform/http/answer/send-file.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import { listOffers, type Offer, type OfferFile, readProgramVersions } from './update-offers-queries.ts'
import { areSigned } from './update-signatures.ts'

/** Prefers forced offers, then the highest version, then the newest deployment. */
function isBetter(one: Offer, other: Offer): boolean {
  if (one.isForced !== other.isForced) return one.isForced
  const difference = compareVersions(one.version, other.version)
  return difference === 0 ? one.deployUid > other.deployUid : difference > 0
}

/** The offers that devices get: those of signed files. A package may be from before the client's key. */
async function listSigned(reads: Reads, groupUids: readonly string[]): Promise<Offer[]> {
  const offers = await listOffers(reads, groupUids)
  return offers.filter(({ files, publicKey }) => areSigned(files, publicKey))
}

/** Whether a device gets an offer: a version below its own only by force. @param heldVersion null before the first heartbeat */
export const isOfferedTo = (
  { isForced, version }: Pick<Offer, 'isForced' | 'version'>,
  heldVersion: string | null,
): boolean => isForced || heldVersion === null || compareVersions(version, heldVersion) >= 0

/** The offer that the devices of each group install. */
export async function readOffers(reads: Reads, groupUids: readonly string[]): Promise<Map<string, Offer>> {
  const best = new Map<string, Offer>()
  for (const offer of await listSigned(reads, groupUids)) {
    const known = best.get(offer.groupUid)
    if (!known || isBetter(offer, known)) best.set(offer.groupUid, offer)
  }
  return best
}

/**
 * The group's part of each device's manifest: without an update that would take the device to a lower version, unless it is
 * forced. A manifest is not made again when its device reports another version.
 */
export async function withoutLowerUpdates<
  Row extends { uid: string; groupUid: string | null },
  Part extends { update: ManifestUpdate | null },
>(
  reads: Reads,
  rows: readonly Row[],
  groups: ReadonlyMap<string | null, Part>,
): Promise<(row: Row) => Part | undefined> {
  const updateOf = ({ groupUid }: Row) => groups.get(groupUid)?.update ?? null
  const asked = rows.filter(row => updateOf(row)?.isForced === false).map(({ uid }) => uid)
  const versions = asked.length > 0 ? await readProgramVersions(reads, asked) : new Map<string, string>()
  return row => {
    const [group, update] = [groups.get(row.groupUid), updateOf(row)]
    if (!group || !update || isOfferedTo(update, versions.get(row.uid) ?? null)) return group
    return { ...group, update: null }
  }
}

/** The updates to install, by group, as manifests name them. */
export async function readUpdates(
  reads: Reads,
  groupUids: readonly string[],
): Promise<Map<string, ManifestUpdate>> {
  const offers = await readOffers(reads, groupUids)
  return new Map([...offers].map(([groupUid, offer]) => [groupUid, updateOf(offer)]))
}

/** The fields have a fixed order, on which the manifest's bytes depend. */
const updateOf = (offer: Offer): ManifestUpdate => ({
  packageUid: offer.packageUid,
  name: offer.name,
  category: offer.category,
  version: offer.version,
  channelName: offer.channelName,
  isForced: offer.isForced,
  files: offer.files.map(fileOf),
})

const fileOf = ({ uid, name, sha256, sizeBytes, signature, statement, statementSignature }: OfferFile) => ({
  uid,
  name,
  sha256,
  sizeBytes,
  signature,
  ...(statement !== null &&
    statementSignature !== null && { statement: { text: statement, signature: statementSignature } }),
  path: `/api/v2/iplay/update/${uid}/${sha256}`,
})

/** An update file that is offered to the device's group now. @throws ProblemError 404 */
export async function findDeviceUpdate(
  scope: ClientScope,
  { groupUid }: DeviceIdentity,
  { uid, sha256 }: { uid: string; sha256: string },
): Promise<FileResponse> {
  const offers = groupUid === null ? [] : await listSigned(scope.reads, [groupUid])
  const files = offers.flatMap(offer => offer.files)
  const file = orNotFound(files.find(each => each.uid === uid && each.sha256 === sha256))
  const key = { clientUid: scope.clientId, sha256 }
  const { sizeBytes, name: fileName } = file
  return { key, sizeBytes, mimeType: 'application/octet-stream', fileName, isImmutable: true }
}
