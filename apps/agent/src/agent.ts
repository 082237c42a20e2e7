import { release } from '@floorcast/contract/release.ts'
import { DeviceSession, type Refusal } from '@floorcast/device-client/session.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'
import { describeBox } from './report/device-state.ts'
import { readModel } from './report/machine.ts'
import { keepClock } from './clock/kept-clock.ts'
import { PlayLog } from './report/play-log.ts'
import { Player } from './player/player.ts'
import { EventStore } from './store/event-store.ts'
import { makeHeardAlerts } from './store/alert-notices.ts'
import { makeManifestBook } from './store/manifest-store.ts'
import { makeMediaStore } from './store/media-store.ts'
import { makeSessionStorage, readHardwareId } from './store/session-store.ts'
import { makeStateStore } from './store/state-store.ts'
import { openStore } from './store/store.ts'
import { Sync } from './sync/sync.ts'

export interface AgentOptions {
  server: string
  key: string
  dataDir: string
  /** mpv's audio output; null: the machine's default. */
  audioOutput: string | null
  say: (line: string) => void
}

/** Why the agent ended: asked to, told to start anew, or its licence key was refused. */
export type AgentEnd = 'stopped' | 'restart' | Refusal

const PURGE_EVERY = 6 * 3_600_000
/** An mpv that hangs must not keep the last words from being logged and sent. */
const SILENCE_WITHIN = 5000
const DOUBT =
  'The clock shows a time long past; time goes on from the last that was known until the server is heard'

/**
 * Puts the agent together and starts it. `ended` settles when it has stopped, whoever asked for it. On the way out mpv
 * gets five seconds to end its track, which is logged as cut by `agent-stopped` either way; then the log is delivered, for
 * ten seconds and three tries at most, in a new session if needed, but never after the session was replaced.
 */
export function startAgent(options: AgentOptions): { stop: () => void; ended: Promise<AgentEnd> } {
  const { dataDir, audioOutput, say } = options
  const store = openStore(dataDir)
  const state = makeStateStore(store)
  const { clock, stop: stopClock } = keepClock(state)
  const events = new EventStore(store)
  const log = new PlayLog(events, state, () => clock.now())
  const media = makeMediaStore(dataDir, store)
  const book = makeManifestBook(state)
  const alerts = makeHeardAlerts(state, book)
  const player = new Player({ clock, book, alerts, media, events, log, options: { audioOutput } })
  const session = new DeviceSession({
    server: options.server,
    licenseKey: options.key,
    hardwareId: readHardwareId(state),
    model: readModel(),
    version: release.version,
    storage: makeSessionStorage(state, dataDir),
    fetch,
    onOtherDevice: () => events.abandon('another-device', clock.now()),
  })
  const { promise: asked, resolve: finish } = Promise.withResolvers<AgentEnd>()
  const parts = { session, clock, book, alerts, media, events, log, say, random: Math.random }
  const sync = new Sync({
    ...parts,
    describe: () => describeBox({ dataDir, bootId: events.bootId, book, media, player }),
    onRefused(refused) {
      say(refused.message)
      finish(refused.refusal)
    },
    onCommand({ command }) {
      if (command === 'restart') finish('restart')
      else log.debug('warning', 'command-unknown', `This version does not know the command '${command}'`)
    },
  })
  player.onChange(() => sync.sendSoon())
  if (!clock.isBelieved) log.debug('warning', 'clock-not-believed', DOUBT)
  const purge = setInterval(() => events.purge(clock.now()), PURGE_EVERY)
  const playing = player.run()
  void sync.start()
  say(`Plays from ${dataDir}; reports to ${session.origin}`)
  const ended = asked.then(async why => {
    player.stop()
    const isDone = playing.then(() => true)
    if ((await firstOf([isDone], SILENCE_WITHIN)) === 'time') player.kill()
    await firstOf([isDone], SILENCE_WITHIN)
    await sync.stop()
    clearInterval(purge)
    stopClock()
    store.close()
    return why
  })
  return { stop: () => finish('stopped'), ended }
}
