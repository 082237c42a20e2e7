import type { DeviceManifest, DevicePublication } from '@floorcast/contract/device-manifest.ts'
import type { Ms } from './instant.ts'
import { publicationAt } from './publication.ts'
import { missingOf, MAX_SWAP_WAIT_MS, neededFiles } from './sync-plan.ts'

export interface ManifestChoice {
  /** The manifest in use; null before the first. */
  playing: DeviceManifest | null
  newest: DeviceManifest
  /** When the device first received a publication of the newest manifest, at its revision. */
  seenAt: (publication: DevicePublication) => Ms
  held: ReadonlySet<string>
}

const isSame = (a: DevicePublication, b: DevicePublication) => a.uid === b.uid && a.revision === b.revision

/** The newest manifest with the former publication in place of the new one. */
const withFormerPublication = (
  newest: DeviceManifest,
  [replaced, kept]: [DevicePublication, DevicePublication],
): DeviceManifest => ({
  ...newest,
  publications: newest.publications
    .filter(publication => publication !== replaced && publication.uid !== kept.uid)
    .concat(kept),
})

/**
 * Selects the manifest to use at a track boundary. Volume, hours, alerts and tags of the newest manifest apply at once. Its
 * publication takes over in one of these cases:
 *
 * - all its files are held
 * - the former publication has ended, or none of its files is held
 * - its scheduled start has come
 * - it has waited for 15 minutes
 */
export function selectManifest({ playing, newest, seenAt, held }: ManifestChoice, at: Ms): DeviceManifest {
  const next = publicationAt(newest, at).current
  const former = playing ? publicationAt(playing, at).current : null
  if (!playing || !next || !former || isSame(next.publication, former.publication)) return newest
  if (missingOf(next.publication, held).length === 0) return newest
  if (next.publication.startsAt !== null && next.publication.uid !== former.publication.uid) return newest
  if (at >= Math.max(next.startedAt, seenAt(next.publication)) + MAX_SWAP_WAIT_MS) return newest
  if (!neededFiles(former.publication).some(file => held.has(file.sha256))) return newest
  return withFormerPublication(newest, [next.publication, former.publication])
}
