import {
  FollowedEntity,
  MAX_OPENING_MS,
  MAX_READING_MS,
  type LiveLine,
} from '@floorcast/contract/change-feed.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { closeInSlices, pickReturnMs } from '../../platform/http/shutdown.ts'
import { notifyAll } from '../../platform/database/notify.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { InstallationWatch } from '../../platform/installation/installation-state.ts'

const isFollowed = (entity: string | undefined): entity is FollowedEntity =>
  FollowedEntity.options.some(followed => followed === entity)

/** Stands for the id of a client. */
const ALL_CLIENTS = 'all'

const KEPT_MS = MAX_READING_MS + MAX_OPENING_MS

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
  /**
   * Called when changes may have been missed, or the server stops: the follower must reconnect.
   * @param retryAfterMs when it reconnects, if the server stops
   */
  onEnd(retryAfterMs?: number): void
}

/** When each kind of thing last changed, by client. What is older than `KEPT_MS` goes within as long again. */
function openRecentChanges() {
  let [young, old] = [new Map<string, number>(), new Map<string, number>()]
  let turnedAt = performance.now()
  /** Changes from before may have been missed. */
  let heardSince = turnedAt
  const turn = () => {
    if (performance.now() - turnedAt < KEPT_MS) return
    old = performance.now() - turnedAt < 2 * KEPT_MS ? young : new Map<string, number>()
    young = new Map<string, number>()
    turnedAt = performance.now()
  }
  return {
    add(clientId: string, entity: FollowedEntity) {
      turn()
      young.set(`${clientId} ${entity}`, performance.now())
    },
    miss() {
      heardSince = performance.now()
    },
    /** What has changed for the client since its reader began. */
    since(clientId: string, readingForMs: number): FollowedEntity[] {
      const began = performance.now() - readingForMs - MAX_OPENING_MS
      if (began < heardSince) return FollowedEntity.options
      const changedAt = (entity: FollowedEntity) => {
        const key = `${entity === 'installation' ? ALL_CLIENTS : clientId} ${entity}`
        return young.get(key) ?? old.get(key) ?? -Infinity
      }
      return FollowedEntity.options.filter(entity => changedAt(entity) >= began)
    },
  }
}

/** Passes the notices of the bus to the followers of each client. */
export function openChangeFeed(bus: Bus, installation: Pick<InstallationWatch, 'onChange'>) {
  const followers = new Map<string, Set<Follower>>()
  const recent = openRecentChanges()
  const everyone = () => [...followers.values()].flatMap(set => [...set])
  let isLeaving = false
  const stop = bus.listen('live', {
    heard: ([clientId = '', entity, uid]) => {
      if (!isFollowed(entity) || uid === undefined) return
      recent.add(clientId, entity)
      for (const follower of followers.get(clientId) ?? []) follower.onChange({ thing: entity, uid })
    },
    missed: () => {
      recent.miss()
      for (const follower of everyone()) follower.onEnd()
    },
  })
  const stopWatching = installation.onChange(() => {
    recent.add(ALL_CLIENTS, 'installation')
    for (const follower of everyone()) follower.onChange({ thing: 'installation' })
  })
  return {
    changedSince: (clientId: string, readingForMs: number) => recent.since(clientId, readingForMs),
    follow(follower: Follower): () => void {
      const set = followers.get(follower.clientId) ?? new Set()
      followers.set(follower.clientId, set.add(follower))
      if (isLeaving) follower.onEnd(pickReturnMs())
      return () => {
        set.delete(follower)
        if (set.size === 0) followers.delete(follower.clientId)
      }
    },
    /** Ends the streams in slices. */
    async leave(hurry: AbortSignal): Promise<void> {
      isLeaving = true
      await closeInSlices(everyone(), follower => follower.onEnd(pickReturnMs()), hurry)
    },
    close() {
      stop()
      stopWatching()
    },
  }
}
