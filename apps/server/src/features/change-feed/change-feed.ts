import type { LiveLine } from '@floorcast/contract/change-feed.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { notifyAll } from '../../platform/database/notify.ts'
import type { Bus } from '../../platform/bus/bus.ts'

type ChangedEntity = NonNullable<LiveLine['thing']>
const ENTITIES: ReadonlySet<string> = new Set<ChangedEntity>([
  'device',
  'group',
  'media',
  'playlist',
  'publication',
  'play',
  'alert',
  'user',
])

const isChangedEntity = (entity: string | undefined): entity is ChangedEntity =>
  entity !== undefined && ENTITIES.has(entity)

/** Notifies the client's open consoles of a changed item when the transaction commits. */
export async function announceChange(
  writes: Writes,
  clientId: string,
  changed: { entity: string; uid: string },
) {
  await announceChanges(writes, clientId, [changed])
}

/** The same for several items, in one statement. */
export async function announceChanges(
  writes: Writes,
  clientId: string,
  changed: readonly { entity: string; uid: string }[],
) {
  await notifyAll(
    writes,
    'live',
    changed.map(({ entity, uid }) => [clientId, entity, uid]),
  )
}

export interface Follower {
  clientId: string
  /** Called for each changed item. */
  onChange(line: LiveLine): void
  /** Called when changes may have been missed or the server stops: the follower must reconnect. */
  onEnd(): void
}

/** Passes the notices of the bus to the followers of each client. */
export function openChangeFeed(bus: Bus) {
  const followers = new Map<string, Set<Follower>>()
  const everyone = () => [...followers.values()].flatMap(set => [...set])
  const stop = bus.listen('live', {
    heard: ([clientId = '', entity, uid]) => {
      if (!isChangedEntity(entity) || uid === undefined) return
      for (const follower of followers.get(clientId) ?? []) follower.onChange({ thing: entity, uid })
    },
    missed: () => {
      for (const follower of everyone()) follower.onEnd()
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
      for (const follower of everyone()) follower.onEnd()
    },
  }
}
