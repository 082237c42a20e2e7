import type { Clock } from '@floorcast/device-client/clock.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import { lockFolder } from './store/data-folder.ts'
import type { EventStore } from './store/event-store.ts'
import type { MediaStore } from './store/media-store.ts'
import type { Store, StoreTrouble } from './store/store.ts'
import type { UnconfirmedStarts } from './store/unconfirmed-starts.ts'

interface MaintenanceParts {
  dataDir: string
  store: Store
  media: MediaStore
  events: EventStore
  log: PlayLog
  starts: UnconfirmedStarts
  clock: Clock
}

const HEAL_INTERVAL_MS = 5000
const PURGE_INTERVAL_MS = 6 * 3_600_000

/** Restores what the disk loses, and deletes old events. Returns a function that ends it. */
export function startMaintenance({
  dataDir,
  store,
  media,
  events,
  log,
  starts,
  clock,
}: MaintenanceParts): () => void {
  store.onTrouble(trouble => log.debug('error', ...describeTrouble(trouble)))
  const heal = () => {
    if (store.heal()) {
      lockAgain(dataDir)
      log.debug(
        'warning',
        'data-folder-restored',
        'The data folder was lost or not writable, and is complete again',
      )
    }
    void media.heal()
    starts.save()
  }
  heal()
  const healing = setInterval(heal, HEAL_INTERVAL_MS)
  // Any date of a clock that the server has not confirmed may be wrong.
  const purging = setInterval(() => clock.hasServerTime && events.purge(clock.now()), PURGE_INTERVAL_MS)
  return () => {
    clearInterval(healing)
    clearInterval(purging)
  }
}

/** The former lock is that of a deleted file. */
function lockAgain(dataDir: string): void {
  try {
    lockFolder(dataDir)
  } catch (error) {
    console.error(String(error))
  }
}

function describeTrouble({ kind, message }: StoreTrouble): [code: string, message: string] {
  if (kind === 'rebuilt')
    return [
      'store-rebuilt',
      `The agent's database was damaged (${message}), and is made again of what could be read. Check the disk`,
    ]
  return kind === 'full'
    ? [
        'disk-full',
        `The disk is full (${message}). Events use the reserve, then the memory: free some of the disk`,
      ]
    : ['disk-not-writable', `The disk takes no writes (${message}). Events are kept in memory until it does`]
}
