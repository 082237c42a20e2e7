import { firstOf } from '@floorcast/device-client/wait.ts'
import type { Player } from '../player/player.ts'
import type { AlertNotices } from '@floorcast/device-client/alert-notices.ts'

const MAX_WAIT_MS = 10 * 60_000
/** How often it looks whether an alert has ended. */
const ALERT_PAUSE_MS = 5000

/** Resolves between two tracks or in silence, after ten minutes in a track; never during an alert. */
export async function quietMoment(player: Player, alerts: AlertNotices): Promise<void> {
  const boundary = new Promise<void>(resolve => player.onChange(resolve))
  if (player.nowPlaying() !== null) await firstOf([boundary], MAX_WAIT_MS)
  while (alerts.open().length > 0) await firstOf([], ALERT_PAUSE_MS)
}
