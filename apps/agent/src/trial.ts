import { release } from '@floorcast/contract/release.ts'
import { firstOf, sleep } from '@floorcast/device-client/wait.ts'
import { iterateCues } from '@floorcast/playback/iterate-cues.ts'
import { openStores } from './open-stores.ts'
import { Player } from './player/player.ts'
import { lockFolder, restrictFolder } from './store/data-folder.ts'
import { mustPlay } from './update/pending-update.ts'
import { plays } from './update/start-updates.ts'

const DAY_MS = 86_400_000
/** The trial begins this long before a track: in a shop that is closed, before the first one of its next day. */
const LEAD_MS = 5000
/** The trial has passed when the program has played this long. */
const PLAYS_MS = 500
const LOOK_MS = 50
const EXIT_MS = 5000

/** The time by which the trial's clock has to be ahead, so that a track begins soon; 0 if none does within a day. */
function findLead(dataDir: string): number {
  const { store, stopClock, clock, manifests, media } = openStores(dataDir)
  try {
    const manifest = (manifests.playing() ?? manifests.newest())?.manifest
    if (!manifest) return 0
    const from = clock.now()
    for (const cue of iterateCues({ ...manifest, alerts: [] }, { from, until: from + DAY_MS }, media.held))
      if (cue.kind === 'play' && cue.startsAt >= from + LEAD_MS) return cue.startsAt - LEAD_MS - from
    return 0
  } finally {
    stopClock()
    store.close()
  }
}

/**
 * Plays from a copy of a shop's data on this machine, without sound, screen or server. The install command of the former version
 * runs a new bundle so while the former one plays. @throws Error if it does not play within `seconds`
 */
export async function tryData(dataDir: string, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  restrictFolder(dataDir)
  lockFolder(dataDir)
  const leadMs = findLead(dataDir)
  const stores = openStores(dataDir, { system: () => Date.now() + leadMs, steady: () => performance.now() })
  const { store, state, stopClock, events } = stores
  const player = new Player({ ...stores, options: { audioOutput: 'null', hasScreen: false } })
  let failure: string | null = null
  events.onAppend(event => {
    if (event.kind === 'debug' && event.level === 'error') failure ??= event.message
  })
  const playing = player.run()
  try {
    let silentUntil = performance.now()
    while (performance.now() < silentUntil + PLAYS_MS) {
      await sleep(LOOK_MS)
      const now = performance.now()
      if (mustPlay(state) && !plays({ ...stores, player })) silentUntil = now
      if (now > deadline) throw new Error(`${failure ?? player.silence()?.because} after ${seconds} seconds`)
    }
    player.stop()
    if ((await firstOf([playing], EXIT_MS)) === 'time') throw new Error('its player does not stop')
  } finally {
    player.kill()
  }
  stopClock()
  store.close()
  process.stdout.write(`Version ${release.version} plays\n`)
}
