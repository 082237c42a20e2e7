import { release } from '@floorcast/contract/release.ts'
import { describeError } from '@floorcast/device-client/describe-error.ts'
import { byLicense, DeviceSession, type Refusal } from '@floorcast/device-client/session.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { KnownAddresses } from '@floorcast/device-client/server-addresses.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'
import { followCommands } from './commands.ts'
import { startMaintenance } from './maintenance.ts'
import { composeHeartbeat, readModel } from './report/device-state.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import { openStores } from './open-stores.ts'
import { RecentLog } from './report/recent-log.ts'
import { describeMissingMpv } from './player/find-mpv.ts'
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
  /** The picture of a video device where no video plays: a file, or null for the logo. */
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
  { server, key, dataDir, updates }: AgentOptions,
  { state, events, clock, log }: { state: StateStore; events: EventStore; clock: Clock; log: PlayLog },
): { session: DeviceSession; addresses: KnownAddresses } {
  checkDatesByAgentTime(clock)
  const storage = makeSessionStorage(state, dataDir)
  const addresses = new KnownAddresses({
    installed: server,
    licenseKey: key,
    updateKey: updates.publicKey,
    state,
    storage,
    log,
    fetch,
    now: () => clock.now(),
  })
  const session = new DeviceSession({
    server: addresses.first,
    opening: byLicense({
      licenseKey: key,
      hardwareId: readHardwareId(state),
      runId: events.bootId,
      model: readModel(),
      version: release.version,
      storage,
      onOtherDevice: () => events.abandon('another-device', clock.now()),
    }),
    fetch,
    onStoreFault: (store, cause) =>
      log.debug(
        'warning',
        'store-not-reached',
        `Files come from the server, not from ${store}: ${describeError(cause, clock)}`,
      ),
  })
  return { session, addresses }
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
  const { session, addresses } = makeSession(options, { state, events, clock, log })
  const parts = { ...stores, dataDir, state, clock, log, session, addresses, player }
  const recent = new RecentLog(events, { secrets: () => [options.key, session.token], print: options.print })
  const print = (line: string) => recent.print(line)
  const { promise: requested, resolve: finish } = Promise.withResolvers<AgentEnd>()
  const commands = followCommands({
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
        isPlayerMissing: () => findMissing() !== null,
      }),
    onRefused(refused) {
      print(refused.message)
      finish(refused.refusal)
    },
    onCommand: command => commands.follow(command),
  })
  player.onChange(() => sync.sendSoon())
  logStart({ ...parts, print })
  const stopMaintenance = startMaintenance({ ...parts, store })
  const playing = player.run()
  void sync.start()
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

interface StartParts {
  dataDir: string
  session: DeviceSession
  clock: Clock
  log: PlayLog
  print: (line: string) => void
}

/** Says from where it plays, and what a technician should repair. */
function logStart({ dataDir, session, clock, log, print }: StartParts): void {
  print(`Plays from ${dataDir}; reports to ${session.origin}`)
  const missing = findMissing()
  if (missing !== null) {
    print(missing)
    log.debug('error', 'player-missing', missing)
  }
  if (!clock.isTrusted) log.debug('warning', 'clock-not-believed', CLOCK_WARNING)
}

const findMissing = () => describeMissingMpv(process.env['PATH'] ?? '')

async function stopPlayer(player: Player, playing: Promise<void>): Promise<void> {
  player.stop()
  const isDone = playing.then(() => true)
  if ((await firstOf([isDone], PLAYER_EXIT_TIMEOUT_MS)) === 'time') player.kill()
  await firstOf([isDone], PLAYER_EXIT_TIMEOUT_MS)
  // An mpv that hangs would outlive the agent, and keep the audio output from the next one.
  player.kill()
}
