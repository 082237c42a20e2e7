import { firstOf, sleep } from '@floorcast/device-client/wait.ts'
import type { AlertSound } from '@floorcast/device-player/ports.ts'
import type { MpvPlayer } from './mpv-player.ts'
import type { Ending, Playback } from './playback.ts'

/** An alert's own sound must be heard within this time; else the siren, which takes some tens of milliseconds, plays until it is. */
export const OWN_SOUND_MS = 140
/** The music continues for this time into an alert, whose first samples may come some 20 ms after mpv says that it plays them. */
const OVERLAP_MS = 30

/** Resolves when samples of it are played. */
export const heardOf = async (loading: Promise<Playback>): Promise<'heard'> => {
  const { started } = await loading
  await started
  return 'heard'
}
export const endingOf = async (loading: Promise<Playback>): Promise<Ending> => (await loading).ended

export const silenceAfterOverlap = async ({ silenceMusic }: AlertSound): Promise<void> => {
  await sleep(OVERLAP_MS)
  await silenceMusic()
}

/** Lets a sound begin when it is loaded, and silences the music soon after. */
export async function beginLoaded(
  player: MpvPlayer,
  loading: Promise<Playback>,
  alert: AlertSound,
): Promise<void> {
  const playback = await loading
  const over = alert.interrupted.then(() => 'over' as const)
  if ((await firstOf<unknown>([playback.loaded, playback.ended, over], OWN_SOUND_MS)) === 'over') return
  await player.unpause(playback)
  if (playback.isLoaded && !playback.ending) await silenceAfterOverlap(alert)
}
