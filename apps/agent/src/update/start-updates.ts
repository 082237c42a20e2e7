import { release } from '@floorcast/contract/release.ts'
import type { AlertNotices } from '@floorcast/device-client/alert-notices.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'
import { withAlerts } from '@floorcast/playback/cue-alert.ts'
import { cueAt } from '@floorcast/playback/cue.ts'
import type { Player } from '../player/player.ts'
import type { EventStore } from '../store/event-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import type { DownloadLimits } from '../sync/download-limits.ts'
import { watchHealth } from './health-signs.ts'
import { mustPlay, PendingUpdates } from './pending-update.ts'
import { hashOfFile } from './programs.ts'
import type { InstallCommand } from './run-install-command.ts'
import { HighestVersion } from './signed-version.ts'
import { removeTrialCopy } from './trial-copy.ts'
import { UpdateAttempts } from './update-attempts.ts'
import { UpdateDownloads } from './update-downloads.ts'
import { UpdateLog } from './update-log.ts'
import { Updater } from './updater.ts'

/** How this installation is updated. */
export interface UpdateSettings {
  /** The public key that the installation was given; null: none. */
  publicKey: string | null
  /** Null: none is named, and there is no supervisor. */
  command: InstallCommand | null
}

interface UpdateParts {
  dataDir: string
  settings: UpdateSettings
  state: StateStore
  events: EventStore
  clock: Clock
  session: DeviceSession
  manifests: ManifestStore
  alerts: AlertNotices
  media: MediaStore
  player: Player
  limits: DownloadLimits
  onUnauthorized: (refused: string | null) => Promise<void>
  onInstalled: () => void
}

function readProgramHash(): string | null {
  try {
    return hashOfFile(process.argv[1] ?? '')
  } catch {
    return null
  }
}

/** The longest wait for a step that runs at the end. */
const MAX_EXIT_MS = 2000

type PlayingParts = Pick<UpdateParts, 'player' | 'manifests' | 'alerts' | 'media' | 'clock'>

/** Whether it plays, or rightly nothing while its mpv runs. */
export function plays({ player, manifests, alerts, media, clock }: PlayingParts): boolean {
  if (player.nowPlaying() !== null) return true
  const manifest = (manifests.playing() ?? manifests.newest())?.manifest
  const now = clock.now()
  const isDue = manifest && cueAt(withAlerts(manifest, alerts.open()), now, media.held).kind === 'play'
  return !isDue && player.pid !== undefined
}

/** Starts the updates of an agent, and the watch over its health. Returns a function that ends both. */
export function startUpdates(parts: UpdateParts): () => Promise<void> {
  const { dataDir, settings, state, events, clock, session, manifests, player, limits } = parts
  const now = () => clock.now()
  const attempts = new UpdateAttempts(state)
  const log = new UpdateLog(events, state, now)
  const highest = new HighestVersion(state, release.version)
  const pending = new PendingUpdates({ dataDir, state, log, attempts, highest, now })
  pending.resume()
  const isPlayExpected = mustPlay(state)
  removeTrialCopy(dataDir)
  const stopWatch = watchHealth({
    plays: () => !isPlayExpected || plays(parts),
    hasSession: () => session.token !== null,
    onHealthy: () => pending.confirm(),
  })
  const updater = new Updater({
    session,
    clock,
    limits,
    random: Math.random,
    manifests,
    downloads: new UpdateDownloads(dataDir, session, limits),
    log,
    attempts,
    pending,
    highest,
    target: {
      version: release.version,
      programHash: readProgramHash(),
      publicKey: settings.publicKey,
      machine: `${process.platform}-${process.arch}`,
      hasInstallCommand: settings.command !== null,
    },
    command: settings.command,
    plays: () => plays(parts),
    quietMoment: () => quietMoment(player, parts.alerts),
    onUnauthorized: parts.onUnauthorized,
    onInstalled: parts.onInstalled,
  })
  const updating = updater.run()
  return async () => {
    stopWatch()
    updater.stop()
    await firstOf([updating], MAX_EXIT_MS)
  }
}

const MAX_WAIT_MS = 10 * 60_000
/** How often it looks whether an alert has ended. */
const ALERT_PAUSE_MS = 5000

/** Resolves between two tracks or in silence, after ten minutes in a track; never during an alert. */
async function quietMoment(player: Player, alerts: AlertNotices): Promise<void> {
  const boundary = new Promise<void>(resolve => player.onChange(resolve))
  if (player.nowPlaying() !== null) await firstOf([boundary], MAX_WAIT_MS)
  while (alerts.open().length > 0) await firstOf([], ALERT_PAUSE_MS)
}
