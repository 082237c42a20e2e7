import { type ManifestReading, parseDeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestPublication } from '@floorcast/contract/manifest.ts'
import { z } from 'zod'
import type { StateStore } from './state-store.ts'

/** A manifest and its ETag, kept as the server sent it: a later version of the agent may know more of it. */
const Sent = z.object({ etag: z.string(), manifest: z.unknown().optional() })
type Sent = z.infer<typeof Sent>
type Page = ManifestReading & { etag: string; sent: Sent }
const Seen = z.record(z.string(), z.number())

const seenKey = ({ uid, revision }: ManifestPublication) => `${uid}/${revision}`

/** The manifest that is played from and the newest one, both kept on the disk. */
export interface ManifestBook {
  playing: () => Page | null
  newest: () => Page | null
  /** A manifest has come from the server. Returns how it reads; null when it is none, and the held one stays. */
  take: (sent: Sent, at: number) => ManifestReading | null
  /** From now on the newest one is played from. */
  settle: () => void
  /** When a publication's revision was first seen. */
  seenAt: (publication: ManifestPublication) => number
  onChange: (listener: () => void) => void
}

function readPage(sent: Sent): Page | null {
  const reading = parseDeviceManifest(sent.manifest)
  return reading && { ...reading, etag: sent.etag, sent }
}

export function makeManifestBook(state: StateStore): ManifestBook {
  const read = (name: string) => {
    const sent = Sent.safeParse(state.read(name)).data
    return sent ? readPage(sent) : null
  }
  let playing = read('manifest-playing')
  let newest = read('manifest-newest')
  let seen = Seen.safeParse(state.read('manifest-seen')).data ?? {}
  const listeners: (() => void)[] = []
  return {
    playing: () => playing,
    newest: () => newest,
    take(sent, at) {
      const page = readPage(sent)
      if (!page) return null
      const keys = page.manifest.publications.map(seenKey)
      seen = Object.fromEntries(keys.map(key => [key, seen[key] ?? at]))
      newest = page
      state.write('manifest-seen', seen)
      state.write('manifest-newest', sent)
      for (const listener of listeners) listener()
      return page
    },
    settle() {
      if (playing === newest || !newest) return
      playing = newest
      state.write('manifest-playing', playing.sent)
    },
    seenAt: publication => seen[seenKey(publication)] ?? 0,
    onChange: listener => void listeners.push(listener),
  }
}
