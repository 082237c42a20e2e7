import { type ClockSources, openClock } from '@floorcast/device-client/clock.ts'
import { makeAlertNotices } from '@floorcast/device-client/alert-notices.ts'
import { makeManifestStore } from '@floorcast/device-client/manifest-store.ts'
import { makeStateProgress, PlayLog } from '@floorcast/device-client/play-log.ts'
import { EventStore } from './store/event-store.ts'
import { LastNumber } from './store/last-number.ts'
import { ProgressFile } from './store/progress-file.ts'
import { RuntimeFolder } from './store/runtime-folder.ts'
import { machineTime, UnconfirmedStarts } from './store/unconfirmed-starts.ts'
import { makeMediaStore } from './store/media-store.ts'
import { makeStateStore } from './store/state-store.ts'
import { openStore } from './store/store.ts'

const machineClock: ClockSources = { system: () => Date.now(), steady: () => performance.now() }

/** Opens all that the agent keeps on its disk. */
export function openStores(dataDir: string, sources = machineClock) {
  const runtime = new RuntimeFolder(dataDir)
  const store = openStore(dataDir, runtime)
  const state = makeStateStore(store)
  const progress = new ProgressFile(dataDir, runtime, makeStateProgress(state))
  const { clock, save: saveClock, stop: stopClock } = openClock(state, sources, progress.readLastHeardAt())
  const events = new EventStore(store, { lastNumber: new LastNumber(dataDir, runtime) })
  // In the commit of a play, of which it costs no page more.
  events.onAppend(({ kind }) => kind === 'playtrack' && saveClock())
  const log = new PlayLog(events, { ...state, progress }, () => clock.now())
  const starts = new UnconfirmedStarts({ state, events, log, clock, machine: machineTime })
  const manifests = makeManifestStore(state)
  const alerts = makeAlertNotices(state, manifests)
  const media = makeMediaStore(dataDir, store)
  return { store, state, clock, stopClock, events, log, starts, manifests, alerts, media }
}
