import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { compareVersions } from '@floorcast/contract/update-versions.ts'
import type { ClientScope, Reads } from '../../platform/database/client-scope.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import type { FileResponse } from '../../platform/http/send-file.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import { findOfferedFile, listOffers, type Offer, type OfferFile } from './update-offers-queries.ts'

/** Prefers forced offers, then the highest version, then the newest deployment. */
function isBetter(one: Offer, other: Offer): boolean {
  if (one.isForced !== other.isForced) return one.isForced
  const difference = compareVersions(one.version, other.version)
  return difference === 0 ? one.deployUid > other.deployUid : difference > 0
}

/** The offer that the devices of each group install. */
export async function readOffers(reads: Reads, groupUids: readonly string[]): Promise<Map<string, Offer>> {
  const best = new Map<string, Offer>()
  for (const offer of await listOffers(reads, groupUids)) {
    const known = best.get(offer.groupUid)
    if (!known || isBetter(offer, known)) best.set(offer.groupUid, offer)
  }
  return best
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

const fileOf = ({ uid, name, sha256, sizeBytes, signature }: OfferFile) => ({
  uid,
  name,
  sha256,
  sizeBytes,
  signature,
  path: `/api/v2/iplay/update/${uid}/${sha256}`,
})

/** An update file that is offered to the device's group now. @throws ProblemError 404 */
export async function findDeviceUpdate(
  scope: ClientScope,
  { groupUid }: DeviceIdentity,
  { uid, sha256 }: { uid: string; sha256: string },
): Promise<FileResponse> {
  const file = orNotFound(
    groupUid === null ? null : await findOfferedFile(scope.reads, { groupUid, uid, sha256 }),
  )
  const key = { clientUid: scope.clientId, sha256 }
  const { sizeBytes, originalName: fileName } = file
  return { key, sizeBytes, mimeType: 'application/octet-stream', fileName, isImmutable: true }
}
