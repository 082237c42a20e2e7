import { firstOf } from '@floorcast/device-client/wait.ts'
import type { Steady } from '@floorcast/device-client/clock.ts'
import { MpvPlayer } from './mpv-player.ts'
import type { MpvOptions } from './mpv-process.ts'
import type { Track } from './playback.ts'

const SECONDS = 3
/** Three times two rising tones of a bell, with a second between their beginnings. */
const BELL: Track = {
  path: `av://lavfi:aevalsrc='0.5*sin(2*PI*t*if(lt(mod(t\\,1)\\,0.25)\\,880\\,1320))*exp(-6*mod(mod(t\\,1)\\,0.25))*lt(mod(t\\,1)\\,0.6)':s=48000:d=${SECONDS}`,
  isVideo: false,
  gainDb: 0,
  offsetSeconds: 0,
  durationSeconds: SECONDS,
}
/** It is to be heard in a shop whose music is turned off. */
const MIN_VOLUME = 50
/** mpv may take seconds to start on a busy machine. */
const MAX_START_MS = 15_000
const MAX_LENGTH_MS = (SECONDS + 5) * 1000

/** Plays the sound by which a person finds the device, once, on an mpv beside the others. Resolves to whether it was heard. */
export async function soundBell(
  options: MpvOptions,
  { volume, steady }: { volume: number; steady: () => Steady },
): Promise<boolean> {
  const player = new MpvPlayer({ ...options, audioOnly: true }, steady)
  try {
    player.startProcess()
    await player.setVolume(Math.max(volume, MIN_VOLUME))
    const playback = await player.play(BELL)
    await firstOf<unknown>([playback.started, playback.ended], MAX_START_MS)
    // A bell that has ended by now was heard, too.
    if (playback.startedAt === null) return false
    await firstOf([playback.ended], MAX_LENGTH_MS)
    return true
  } finally {
    player.close()
  }
}
