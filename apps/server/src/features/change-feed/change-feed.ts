import type { LiveLine } from '@floorcast/contract/change-feed.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { notify } from '../../platform/database/notify.ts'
import type { Bus } from '../../platform/bus/bus.ts'

type LiveThing = NonNullable<LiveLine['thing']>
const THINGS: ReadonlySet<string> = new Set<LiveThing>([
  'device',
  'group',
  'media',
  'playlist',
  'publication',
  'play',
])

const isLiveThing = (thing: string | undefined): thing is LiveThing =>
  thing !== undefined && THINGS.has(thing)

/** Tells the client's open consoles, when the transaction commits, that a thing changed. */
export async function announceChange(
  writes: Writes,
  clientId: string,
  changed: { thing: string; uid: string },
) {
  await notify(writes, 'live', [clientId, changed.thing, changed.uid])
}

export interface Follower {
  clientId: string
  sessionUid: string
  /** Each thing that changed. */
  changed(line: LiveLine): void
  /** Changes may have been missed, or the session ended: the follower must begin anew. */
  ended(): void
}

/** Hands what the bus says to those who follow it, each its own client's. */
export function openLive(bus: Bus) {
  const followers = new Map<string, Set<Follower>>()
  const everyone = () => [...followers.values()].flatMap(set => [...set])
  const stop = bus.listen('live', {
    heard: ([clientId = '', thing, uid]) => {
      for (const follower of followers.get(clientId) ?? []) {
        if (isLiveThing(thing) && uid !== undefined) follower.changed({ thing, uid })
        else if (thing === 'session' && uid === follower.sessionUid) follower.ended()
      }
    },
    missed: () => {
      for (const follower of everyone()) follower.ended()
    },
  })
  return {
    follow(follower: Follower): () => void {
      const set = followers.get(follower.clientId) ?? new Set()
      followers.set(follower.clientId, set.add(follower))
      return () => {
        set.delete(follower)
        if (set.size === 0) followers.delete(follower.clientId)
      }
    },
    close() {
      stop()
      for (const follower of everyone()) follower.ended()
    },
  }
}
