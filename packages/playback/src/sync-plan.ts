import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile, ManifestPublication } from '@floorcast/contract/manifest.ts'
import { cueAt, filesOf } from './cue.ts'
import { filesFrom } from './cue-timeline.ts'
import { type Ms, MINUTE } from './instant.ts'
import { publicationAt, startOfPublication } from './publication.ts'

/** An incomplete publication starts after this wait, without its missing files. */
export const MAX_SWAP_WAIT_MS: Ms = 15 * MINUTE

function filesOfPublication(manifest: DeviceManifest, { playlist }: ManifestPublication): ManifestFile[] {
  const indexes =
    playlist.form === 'simple'
      ? playlist.items.map(item => item.file)
      : playlist.blocks.flatMap(block => block.items.map(item => item.file))
  return indexes.flatMap(index => manifest.files[index] ?? [])
}

/** The distinct files that a publication needs and the device does not hold. */
export function missingOf(
  manifest: DeviceManifest,
  publication: ManifestPublication,
  held: ReadonlySet<string>,
): ManifestFile[] {
  const missing = new Map<string, ManifestFile>()
  for (const file of filesOfPublication(manifest, publication))
    if (!held.has(file.sha256)) missing.set(file.sha256, file)
  return [...missing.values()]
}

/** The heartbeat's readiness of each publication. `missing` also counts the files that this version cannot play. */
export const heldReport = (manifest: DeviceManifest, held: ReadonlySet<string>) =>
  manifest.publications.map(publication => ({
    publicationUid: publication.uid,
    revision: publication.revision,
    missing: missingOf(manifest, publication, held).length + (publication.skipped ?? 0),
  }))

/** The publication's files, starting with the one that is scheduled at `at`. */
function inOrderOfPlay(manifest: DeviceManifest, publication: ManifestPublication, at: Ms): ManifestFile[] {
  const { playlist } = publication
  if (playlist.form === 'smart') return filesFrom(manifest, playlist, at)
  const files = filesOfPublication(manifest, publication)
  const cue = cueAt(manifest, at, filesOf(manifest))
  if (cue.kind !== 'play' || cue.publication.uid !== publication.uid) return files
  const index = playlist.items.findIndex(item => item.uid === cue.itemUid)
  return index > 0 ? [...files.slice(index), ...files.slice(0, index)] : files
}

/**
 * The missing files, each once, most urgent first:
 *
 * 1. files of open alerts
 * 2. files that no publication needs, which are the sounds of future alerts
 * 3. files of the publication in force, in play order
 * 4. files of scheduled publications, by start
 * 5. all others
 */
export function filesToFetch(manifest: DeviceManifest, held: ReadonlySet<string>, at: Ms): ManifestFile[] {
  const alerts = manifest.alerts.flatMap(alert => manifest.files[alert.file ?? -1] ?? [])
  const zone = manifest.device.timeZone
  const { current } = publicationAt(manifest, at)
  const waiting = manifest.publications
    .filter(publication => publication !== current?.publication)
    .toSorted((a, b) => startOfPublication(a, zone) - startOfPublication(b, zone))
  const published = new Set(
    manifest.publications.flatMap(publication => filesOfPublication(manifest, publication)),
  )
  const wanted = [
    ...alerts,
    ...manifest.files.filter(file => !published.has(file)),
    ...(current ? inOrderOfPlay(manifest, current.publication, at) : []),
    ...waiting.flatMap(publication => filesOfPublication(manifest, publication)),
    ...manifest.files,
  ]
  const once = new Map(wanted.map(file => [file.sha256, file]))
  return [...once.values()].filter(file => !held.has(file.sha256))
}

/** The held files that no manifest names. They may be deleted if space is needed. */
export function filesToDrop(manifests: readonly DeviceManifest[], held: ReadonlySet<string>): string[] {
  const named = new Set(manifests.flatMap(manifest => [...filesOf(manifest)]))
  return [...held].filter(sha256 => !named.has(sha256))
}
