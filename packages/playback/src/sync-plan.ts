import type { DeviceManifest, DevicePublication } from '@floorcast/contract/device-manifest.ts'
import type { DeviceProgramme } from '@floorcast/contract/device-programme.ts'
import type { ManifestFile, ManifestPlaylist } from '@floorcast/contract/manifest.ts'
import { cueAt, filesOf } from './cue.ts'
import { filesFrom } from './cue-timeline.ts'
import { type Ms, MINUTE } from './instant.ts'
import { publicationAt, startOfPublication } from './publication.ts'
import { zoneOf } from './zone.ts'

/** An incomplete publication starts after this wait, without its missing files. */
export const MAX_SWAP_WAIT_MS: Ms = 15 * MINUTE

/** A cache: a day has some thousand plays of some hundred files, and each heartbeat asks for them. */
const needed = new WeakMap<ManifestPlaylist, { files: DeviceProgramme['files']; list: ManifestFile[] }>()

/** The distinct files that a programme plays, in the order of their first play. */
export function neededFiles({ playlist, files }: DeviceProgramme): readonly ManifestFile[] {
  const known = needed.get(playlist)
  if (known?.files === files) return known.list
  const indexes =
    playlist.form === 'simple'
      ? playlist.items.map(item => item.file)
      : playlist.blocks.flatMap(block => block.items.map(item => item.file))
  const distinct = new Map<string, ManifestFile>()
  for (const file of indexes.flatMap(index => files[index] ?? []))
    if (!distinct.has(file.sha256)) distinct.set(file.sha256, file)
  const list = [...distinct.values()]
  needed.set(playlist, { files, list })
  return list
}

/** The distinct files that a publication needs and the device does not hold. */
export const missingOf = (publication: DeviceProgramme, held: ReadonlySet<string>): ManifestFile[] =>
  neededFiles(publication).filter(file => !held.has(file.sha256))

/** The heartbeat's readiness of each publication. `missing` also counts the files that this version cannot play. */
export const heldReport = (manifest: DeviceManifest, held: ReadonlySet<string>) =>
  manifest.publications.map(publication => ({
    publicationUid: publication.uid,
    revision: publication.revision,
    missing: missingOf(publication, held).length + (publication.skipped ?? 0),
  }))

/** The publication's files, starting with the one that is scheduled at `at`. */
function inOrderOfPlay(manifest: DeviceManifest, publication: DevicePublication, at: Ms): ManifestFile[] {
  const { playlist, files } = publication
  if (playlist.form === 'smart') return filesFrom({ zone: zoneOf(manifest.device), playlist, files }, at)
  const ordered = playlist.items.flatMap(item => files[item.file] ?? [])
  const cue = cueAt(manifest, at, filesOf(manifest))
  if (cue.kind !== 'play' || cue.publication.uid !== publication.uid) return ordered
  const index = playlist.items.findIndex(item => item.uid === cue.itemUid)
  return index > 0 ? [...ordered.slice(index), ...ordered.slice(0, index)] : ordered
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
  const zone = zoneOf(manifest.device)
  const { current } = publicationAt(manifest, at)
  const waiting = manifest.publications
    .filter(publication => publication !== current?.publication)
    .toSorted((a, b) => startOfPublication(a, zone) - startOfPublication(b, zone))
  const published = new Set(
    manifest.publications.flatMap(publication => neededFiles(publication).map(file => file.sha256)),
  )
  const wanted = [
    ...alerts,
    ...manifest.files.filter(file => !published.has(file.sha256)),
    ...(current ? inOrderOfPlay(manifest, current.publication, at) : []),
    ...waiting.flatMap(publication => neededFiles(publication)),
    ...manifest.publications.flatMap(publication => publication.files),
    ...manifest.files,
  ]
  const once = new Map<string, ManifestFile>()
  for (const file of wanted) if (!held.has(file.sha256) && !once.has(file.sha256)) once.set(file.sha256, file)
  return [...once.values()]
}

/** The held files that no manifest names. They may be deleted if space is needed. */
export function filesToDrop(manifests: readonly DeviceManifest[], held: ReadonlySet<string>): string[] {
  const named = new Set(manifests.flatMap(manifest => [...filesOf(manifest)]))
  return [...held].filter(sha256 => !named.has(sha256))
}
