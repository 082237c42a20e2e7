import type { LeftOut, PlayEvent } from '@floorcast/contract/events.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import type { EventBatch } from './event-deduplicator.ts'
import type { ValidEvent } from './event-validation.ts'
import type { KnownFile, KnownNames } from './play-plausibility.ts'
import {
  findFiles,
  type FoundFile,
  findOwnPublications,
  type NamedFile,
  type NamedPublication,
} from './play-queries.ts'

/** A play that has arrived, with the call that brought it. */
export interface NewPlay {
  batch: EventBatch
  valid: ValidEvent
  event: PlayEvent
}

const MAX_KNOWN = 50_000
/** A length that is measured again is known everywhere after this, and that a publication was deleted for good. */
const KNOWN_FOR_MS = 10 * 60_000

/**
 * What plays have named lately, and their clients have: files and publications. What a client does not have is looked up each time: it may be
 * added now.
 */
export class NamesOfPlays {
  // Replaced, never emptied: another commit may be under way.
  #known = { files: new Map<string, KnownFile>(), publications: new Set<string>(), since: 0 }

  /** @returns what is known of each play, in order */
  async find(writes: IngestWrites, plays: readonly NewPlay[], now: Date): Promise<KnownNames[]> {
    const known = this.#knownAt(now)
    const files = new Map<string, NamedFile>()
    const publications = new Map<string, NamedPublication>()
    const keys = plays.map(({ batch: { device }, event }) => {
      const named = fileOf(device, event)
      const [file, publication] = [keyOfFile(named), publicationOf(device, event)]
      if (!known.files.has(file)) files.set(file, named)
      if (publication === null) return { file, publication }
      const key = keyOfPublication(publication)
      if (!known.publications.has(key)) publications.set(key, publication)
      return { file, publication: key }
    })
    const reasons = new Map<string, LeftOut>()
    for (const file of files.size > 0 ? await findFiles(writes, [...files.values()]) : []) {
      const { contentType, durationSeconds } = file
      if (contentType === null || durationSeconds === null) reasons.set(keyOfFile(file), reasonOf(file))
      else known.files.set(keyOfFile(file), { contentType, durationSeconds })
    }
    for (const own of publications.size > 0
      ? await findOwnPublications(writes, [...publications.values()])
      : [])
      known.publications.add(keyOfPublication(own))
    return keys.map(({ file, publication }) => ({
      file: known.files.get(file) ?? reasons.get(file) ?? 'unknown-media',
      hasPublication: publication === null || known.publications.has(publication),
    }))
  }

  #knownAt(now: Date) {
    const { files, publications, since } = this.#known
    const size = Math.max(files.size, publications.size)
    if (now.getTime() - since > KNOWN_FOR_MS || size > MAX_KNOWN)
      this.#known = { files: new Map(), publications: new Set(), since: now.getTime() }
    return this.#known
  }
}

type Device = Pick<DeviceIdentity, 'clientId'>
const fileOf = ({ clientId }: Device, { mediaUid, sha256 }: PlayEvent): NamedFile => ({
  clientId,
  mediaUid: mediaUid.toLowerCase(),
  sha256,
})
const publicationOf = ({ clientId }: Device, { publicationUid }: PlayEvent): NamedPublication | null =>
  publicationUid === null ? null : { clientId, uid: publicationUid.toLowerCase() }
const keyOfFile = ({ clientId, mediaUid, sha256 }: NamedFile) => `${clientId} ${mediaUid} ${sha256}`
const keyOfPublication = ({ clientId, uid }: NamedPublication) => `${clientId} ${uid}`
const reasonOf = ({ isKnownMedia }: FoundFile): LeftOut => (isKnownMedia ? 'unknown-file' : 'unknown-media')
