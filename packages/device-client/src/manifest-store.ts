import {
  type DevicePublication,
  type ManifestReading,
  namedProgrammes,
  parseDeviceManifest,
} from '@floorcast/contract/device-manifest.ts'
import { parseProgramme, type ProgrammeReading } from '@floorcast/contract/device-programme.ts'
import type { SentManifest } from './manifest-fetcher.ts'
import { z } from 'zod'
import type { StateStore } from './state-store.ts'

/** A manifest as the server sent it, with its ETag. A later version of the agent may understand more of it. */
const Sent = z.object({ etag: z.string(), manifest: z.unknown().optional() })
type Sent = z.infer<typeof Sent>
export type StoredManifest = ManifestReading & { etag: string; sent: Sent }
const FirstSeen = z.record(z.string(), z.number())
/** The beginning of the names of programmes in the state. */
const PROGRAMME = 'programme-'

const revisionKey = ({ uid, revision }: DevicePublication) => `${uid}/${revision}`

/**
 * The manifest in use and the newest one, both on the disk with their programmes. While the disk takes no writes, it keeps the
 * former ones whole, so that a restart without the server has something to play.
 */
export interface ManifestStore {
  playing: () => StoredManifest | null
  newest: () => StoredManifest | null
  /** The ETag of the newest manifest; undefined if a programme of it is lost, so that both are fetched again. */
  newestEtag: () => string | undefined
  hasProgramme: (sha256: string) => boolean
  /** Saves a manifest from the server as the newest one. Returns null, and keeps the held one, if it is not a manifest. */
  save: (sent: SentManifest, at: number) => ManifestReading | null
  /** Makes the newest manifest the one in use. */
  promoteNewest: () => void
  /** When the device first received a publication's revision, in milliseconds since 1970. */
  seenAt: (publication: DevicePublication) => number
  onChange: (listener: () => void) => void
}

/** The programmes on the disk, each as the server sent it. */
class ProgrammeStore {
  readonly #state: StateStore
  readonly #readings = new Map<string, ProgrammeReading>()

  constructor(state: StateStore) {
    this.#state = state
  }

  readonly read = (sha256: string): ProgrammeReading | null => {
    const known = this.#readings.get(sha256)
    if (known) return known
    const text = this.#state.read(PROGRAMME + sha256)
    return typeof text === 'string' ? this.#parse(sha256, text) : null
  }

  write(programmes: ReadonlyMap<string, string>): void {
    for (const [sha256, text] of programmes) {
      this.#parse(sha256, text)
      this.#state.write(PROGRAMME + sha256, text)
    }
  }

  areStored(hashes: readonly string[]): boolean {
    const names = new Set(this.#state.names(PROGRAMME))
    return hashes.every(sha256 => names.has(PROGRAMME + sha256))
  }

  /** Removes the programmes that none of these manifests names. */
  prune(manifests: readonly unknown[]): void {
    const named = new Set(manifests.flatMap(manifest => namedProgrammes(manifest)))
    for (const name of this.#state.names(PROGRAMME)) {
      const sha256 = name.slice(PROGRAMME.length)
      if (named.has(sha256)) continue
      this.#state.remove(name)
      this.#readings.delete(sha256)
    }
  }

  #parse(sha256: string, text: string): ProgrammeReading {
    const reading = parseProgramme(parseJson(text))
    this.#readings.set(sha256, reading)
    return reading
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function makeManifestStore(state: StateStore): ManifestStore {
  const programmes = new ProgrammeStore(state)
  const parse = (sent: Sent): StoredManifest | null => {
    const reading = parseDeviceManifest(sent.manifest, programmes.read)
    return reading && { ...reading, etag: sent.etag, sent }
  }
  const read = (name: string) => {
    const sent = Sent.safeParse(state.read(name)).data
    return sent ? parse(sent) : null
  }
  let playing = read('manifest-playing')
  let newest = read('manifest-newest')
  let seen = FirstSeen.safeParse(state.read('manifest-seen')).data ?? {}
  const isHeld = (sha256: string) => programmes.read(sha256) !== null
  const onDisk = { playing: playing?.sent, newest: newest?.sent }
  const prune = () => {
    const inUse = [playing?.sent, newest?.sent, onDisk.playing, onDisk.newest]
    programmes.prune(inUse.map(sent => sent?.manifest))
  }
  const listeners: (() => void)[] = []
  return {
    playing: () => playing,
    newest: () => newest,
    newestEtag: () =>
      newest && namedProgrammes(newest.sent.manifest).every(isHeld) ? newest.etag : undefined,
    hasProgramme: isHeld,
    save({ etag, manifest, programmes: fetched }, at) {
      const sent = { etag, manifest }
      programmes.write(fetched)
      const stored = parse(sent)
      if (!stored) return null
      const keys = stored.manifest.publications.map(revisionKey)
      seen = Object.fromEntries(keys.map(key => [key, seen[key] ?? at]))
      newest = stored
      state.write('manifest-seen', seen)
      if (programmes.areStored(namedProgrammes(manifest)) && state.write('manifest-newest', sent))
        onDisk.newest = sent
      prune()
      for (const listener of listeners) listener()
      return stored
    },
    promoteNewest() {
      if (playing === newest || !newest) return
      playing = newest
      if (onDisk.newest === playing.sent && state.write('manifest-playing', playing.sent))
        onDisk.playing = playing.sent
      prune()
    },
    seenAt: publication => seen[revisionKey(publication)] ?? 0,
    onChange: listener => void listeners.push(listener),
  }
}
