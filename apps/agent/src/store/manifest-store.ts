import { type ManifestReading, parseDeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestPublication } from '@floorcast/contract/manifest.ts'
import { z } from 'zod'
import type { StateStore } from './state-store.ts'

/** A manifest as the server sent it, with its ETag. A later version of the agent may understand more of it. */
const Sent = z.object({ etag: z.string(), manifest: z.unknown().optional() })
type Sent = z.infer<typeof Sent>
type StoredManifest = ManifestReading & { etag: string; sent: Sent }
const FirstSeen = z.record(z.string(), z.number())

const revisionKey = ({ uid, revision }: ManifestPublication) => `${uid}/${revision}`

/** The manifest in use and the newest one, both on the disk. */
export interface ManifestStore {
  playing: () => StoredManifest | null
  newest: () => StoredManifest | null
  /** Saves a manifest from the server as the newest one. Returns null, and keeps the held one, if it is no manifest. */
  save: (sent: Sent, at: number) => ManifestReading | null
  /** Makes the newest manifest the one in use. */
  promoteNewest: () => void
  /** When the device first received a publication's revision, in milliseconds since 1970. */
  seenAt: (publication: ManifestPublication) => number
  onChange: (listener: () => void) => void
}

function parseStored(sent: Sent): StoredManifest | null {
  const reading = parseDeviceManifest(sent.manifest)
  return reading && { ...reading, etag: sent.etag, sent }
}

export function makeManifestStore(state: StateStore): ManifestStore {
  const read = (name: string) => {
    const sent = Sent.safeParse(state.read(name)).data
    return sent ? parseStored(sent) : null
  }
  let playing = read('manifest-playing')
  let newest = read('manifest-newest')
  let seen = FirstSeen.safeParse(state.read('manifest-seen')).data ?? {}
  const listeners: (() => void)[] = []
  return {
    playing: () => playing,
    newest: () => newest,
    save(sent, at) {
      const stored = parseStored(sent)
      if (!stored) return null
      const keys = stored.manifest.publications.map(revisionKey)
      seen = Object.fromEntries(keys.map(key => [key, seen[key] ?? at]))
      newest = stored
      state.write('manifest-seen', seen)
      state.write('manifest-newest', sent)
      for (const listener of listeners) listener()
      return stored
    },
    promoteNewest() {
      if (playing === newest || !newest) return
      playing = newest
      state.write('manifest-playing', playing.sent)
    },
    seenAt: publication => seen[revisionKey(publication)] ?? 0,
    onChange: listener => void listeners.push(listener),
  }
}
