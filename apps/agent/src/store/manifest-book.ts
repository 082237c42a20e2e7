import { Manifest, type ManifestPublication } from '@floorcast/contract/manifest.ts'
import { z } from 'zod'
import type { StateStore } from './state-store.ts'

const Page = z.object({ etag: z.string(), manifest: Manifest })
type Page = z.infer<typeof Page>
const Seen = z.record(z.string(), z.number())

const seenKey = ({ uid, revision }: ManifestPublication) => `${uid}/${revision}`

/** The manifest that is played from and the newest one, both kept on the disk. */
export interface ManifestBook {
  playing: () => Page | null
  newest: () => Page | null
  /** A manifest has come from the server. */
  take: (page: Page, at: number) => void
  /** From now on the newest one is played from. */
  settle: () => void
  /** When a publication's revision was first seen. */
  seenAt: (publication: ManifestPublication) => number
  onChange: (listener: () => void) => void
}

export function makeManifestBook(state: StateStore): ManifestBook {
  const read = (name: string) => Page.safeParse(state.read(name)).data ?? null
  let playing = read('manifest-playing')
  let newest = read('manifest-newest')
  let seen = Seen.safeParse(state.read('manifest-seen')).data ?? {}
  const listeners: (() => void)[] = []
  return {
    playing: () => playing,
    newest: () => newest,
    take(page, at) {
      const keys = page.manifest.publications.map(seenKey)
      seen = Object.fromEntries(keys.map(key => [key, seen[key] ?? at]))
      newest = page
      state.write('manifest-seen', seen)
      state.write('manifest-newest', page)
      for (const listener of listeners) listener()
    },
    settle() {
      if (playing === newest || !newest) return
      playing = newest
      state.write('manifest-playing', playing)
    },
    seenAt: publication => seen[seenKey(publication)] ?? 0,
    onChange: listener => void listeners.push(listener),
  }
}
