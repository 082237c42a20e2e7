import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestPublication } from '@floorcast/contract/manifest.ts'
import type { Ms } from './instant.ts'
import { publicationAt } from './publication.ts'
import { missingOf, SWAP_PATIENCE_MS } from './sync-plan.ts'

export interface ManifestChoice {
  /** The manifest played from until now; null at the first. */
  playing: DeviceManifest | null
  newest: DeviceManifest
  /** When the device first saw a publication of the newest one, at its revision. */
  seenAt: (publication: ManifestPublication) => Ms
  held: ReadonlySet<string>
}

const isSame = (a: ManifestPublication, b: ManifestPublication) =>
  a.uid === b.uid && a.revision === b.revision

/** The former's publication carried into the newest manifest in place of `replaced`. */
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
 * The manifest to play from at a track boundary. Volume, hours, alerts and tags of the newest hold at once; its
 * publication takes over when all of it is held, or when the former has ended, held nothing itself, or a delayed start
 * is due, or after 15 minutes of waiting.
 */
export function selectManifest({ playing, newest, seenAt, held }: ManifestChoice, at: Ms): DeviceManifest {
  const next = publicationAt(newest, at).current
  const former = playing ? publicationAt(playing, at).current : null
  if (!playing || !next || !former || isSame(next.publication, former.publication)) return newest
  if (missingOf(newest, next.publication, held).length === 0) return newest
  if (next.publication.startsAt !== null && next.publication.uid !== former.publication.uid) return newest
  if (at >= Math.max(next.startedAt, seenAt(next.publication)) + SWAP_PATIENCE_MS) return newest
  const formerFiles = missingOf(playing, former.publication, new Set())
  const formerHeld = formerFiles.filter(file => held.has(file.sha256))
  if (formerHeld.length === 0) return newest
  return withFormerPublication(newest, playing, [next.publication, former.publication])
}
