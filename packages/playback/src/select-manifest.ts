import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestPublication } from '@floorcast/contract/manifest.ts'
import type { Ms } from './instant.ts'
import { publicationAt } from './publication.ts'
import { missingOf, MAX_SWAP_WAIT_MS } from './sync-plan.ts'

export interface ManifestChoice {
  /** The manifest in use; null before the first. */
  playing: DeviceManifest | null
  newest: DeviceManifest
  /** When the device first received a publication of the newest manifest, at its revision. */
  seenAt: (publication: ManifestPublication) => Ms
  held: ReadonlySet<string>
}

const isSame = (a: ManifestPublication, b: ManifestPublication) =>
  a.uid === b.uid && a.revision === b.revision

/** The newest manifest with the former publication in place of the new one. */
function withFormerPublication(
  newest: DeviceManifest,
  former: DeviceManifest,
  publications: [ManifestPublication, ManifestPublication],
): DeviceManifest {
  const [replaced, kept] = publications
  const shift = newest.files.length
  const { playlist } = kept
  const moved =
    playlist.form === 'simple'
      ? { ...playlist, items: playlist.items.map(item => ({ ...item, file: item.file + shift })) }
      : {
          ...playlist,
          blocks: playlist.blocks.map(block => ({
            ...block,
            items: block.items.map(item => ({ ...item, file: item.file + shift })),
          })),
        }
  return {
    ...newest,
    publications: newest.publications
      .filter(publication => publication !== replaced && publication.uid !== kept.uid)
      .concat({ ...kept, playlist: moved }),
    files: [...newest.files, ...former.files],
  }
}

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
  if (missingOf(newest, next.publication, held).length === 0) return newest
  if (next.publication.startsAt !== null && next.publication.uid !== former.publication.uid) return newest
  if (at >= Math.max(next.startedAt, seenAt(next.publication)) + MAX_SWAP_WAIT_MS) return newest
  const formerFiles = missingOf(playing, former.publication, new Set())
  const formerHeld = formerFiles.filter(file => held.has(file.sha256))
  if (formerHeld.length === 0) return newest
  return withFormerPublication(newest, playing, [next.publication, former.publication])
}
