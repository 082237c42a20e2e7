import { release } from '@floorcast/contract/release.ts'
import { byLicense, DeviceSession, type Refusal } from '@floorcast/device-client/session.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'
import { Commands } from './commands.ts'
import { startMaintenance } from './maintenance.ts'
import { composeHeartbeat, readModel } from './report/device-state.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import { openStores } from './open-stores.ts'
import { RecentLog } from './report/recent-log.ts'
import { Player } from './player/player.ts'
import type { EventStore } from './store/event-store.ts'
import { readHardwareId } from './store/hardware-id.ts'
import { makeSessionStorage } from './store/session-store.ts'
import { checkDatesByAgentTime } from './sync/wrong-clock-tls.ts'
import { Sync } from './sync/sync.ts'
import { startUpdates, type UpdateSettings } from './update/start-updates.ts'

export interface AgentOptions {
  server: string
  key: string
  dataDir: string
  /** mpv's audio output; null means the machine's default. */
  audioOutput: string | null
  /** What the screen of a video device shows where no video plays: a file, or null for the logo. */
  picture: string | null
  /** Seconds between heartbeats; null means the manifest's setting. */
  heartbeatSeconds: number | null
  updates: UpdateSettings
  print: (line: string) => void
}

/** Why the agent ended: stopped, restarted by a command, or refused by the server. */
export type AgentEnd = 'stopped' | 'restart' | Refusal

/** An mpv that hangs must not prevent the final events from being logged and sent. */
const PLAYER_EXIT_TIMEOUT_MS = 5000
const CLOCK_WARNING =
  'The clock shows an implausible time. Time continues from the last good one until the server answers'

function makeSession(
  { server, key, dataDir }: AgentOptions,
  { state, events, clock }: { state: StateStore; events: EventStore; clock: Clock },
): DeviceSession {
  checkDatesByAgentTime(clock)
  return new DeviceSession({
    server,
    opening: byLicense({
      licenseKey: key,
      hardwareId: readHardwareId(state),
      runId: events.bootId,
      model: readModel(),
      version: release.version,
      storage: makeSessionStorage(state, dataDir),
      onOtherDevice: () => events.abandon('another-device', clock.now()),
    }),
    fetch,
  })
}

/**
 * Composes the agent and starts it. `ended` resolves when it has stopped.
 *
 * At the end, mpv has five seconds to stop its track, which is logged as cut by `agent-stopped` in any case. The agent
 * then sends its log within ten seconds and three attempts. It opens a new session for that if necessary, unless another
 * player has taken over the session.
 */
export function startAgent(options: AgentOptions): { stop: () => void; ended: Promise<AgentEnd> } {
  const { dataDir, audioOutput, picture, heartbeatSeconds } = options
  const { store, stopClock, state, clock, log, ...stores } = openStores(dataDir)
  const { manifests, media, events } = stores
  const player = new Player({ ...stores, clock, log, state, options: { audioOutput, picture } })
  const session = makeSession(options, { state, events, clock })
  const parts = { ...stores, dataDir, state, clock, log, session, player }
  const recent = new RecentLog(events, { secrets: () => [options.key, session.token], print: options.print })
  const print = (line: string) => recent.print(line)
  const { promise: requested, resolve: finish } = Promise.withResolvers<AgentEnd>()
  const commands = new Commands({
    ...parts,
    sendFile: (id, file) => sync.sendFile(id, file),
    readLog: () => recent.read(),
    restart: () => finish('restart'),
  })
  const sync = new Sync({
    ...parts,
    heartbeatSeconds,
    random: Math.random,
    print,
    describe: () =>
      composeHeartbeat({
        dataDir,
        bootId: events.bootId,
        manifests,
        media,
        player,
        isDownloading: () => sync.isDownloading,
      }),
    onRefused(refused) {
      print(refused.message)
      finish(refused.refusal)
    },
    onCommand: command => commands.follow(command),
  })
  player.onChange(() => sync.sendSoon())
  if (!clock.isTrusted) log.debug('warning', 'clock-not-believed', CLOCK_WARNING)
  const stopMaintenance = startMaintenance({ ...parts, store })
  const playing = player.run()
  void sync.start()
  print(`Plays from ${dataDir}; reports to ${session.origin}`)
  const stopUpdates = startUpdates({
    ...parts,
    settings: options.updates,
    limits: sync.limits,
    onUnauthorized: refused => sync.reopenSession(refused),
    onInstalled: () => finish('restart'),
  })
  const ended = requested.then(async why => {
    await stopUpdates()
    await stopPlayer(player, playing)
    await sync.stop()
    stopMaintenance()
    stopClock()
    store.close()
    return why
  })
  return { stop: () => finish('stopped'), ended }
}

async function stopPlayer(player: Player, playing: Promise<void>): Promise<void> {
  player.stop()
  const isDone = playing.then(() => true)
  if ((await firstOf([isDone], PLAYER_EXIT_TIMEOUT_MS)) === 'time') player.kill()
  await firstOf([isDone], PLAYER_EXIT_TIMEOUT_MS)
}
