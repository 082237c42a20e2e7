import { stat } from 'node:fs/promises'
import {
  EncodedPacketSink,
  FilePathSource,
  Input,
  Logging,
  LogLevel,
  MP4,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
} from 'mediabunny'
import {
  averageBitRate,
  refuse,
  type MediaProbeResult,
  type ProbedVideo,
  type ProbeRefusalReason,
} from './probe-result.ts'

const CACHE_BYTES = 4 * 1024 * 1024
const MAX_SECONDS = 100 * 3600
const MAX_PIXELS = 16_384
const MAX_SAMPLE_RATE = 192_000
const MAX_CHANNELS = 16

type Facts = Omit<ProbedVideo, 'accepted' | 'contentType'>

// The library prints read errors to the console; the result already carries them.
Logging.level = LogLevel.Silent

async function isReadableToItsEnd(track: InputTrack): Promise<boolean> {
  const last = await new EncodedPacketSink(track).getPacket(Infinity)
  return last !== null && last.data.byteLength > 0
}

async function findFault(
  videos: InputVideoTrack[],
  sounds: InputAudioTrack[],
): Promise<ProbeRefusalReason | null> {
  if (videos.length === 0) return 'no-video'
  for (const track of videos) if ((await track.getCodec()) !== 'avc') return 'not-h264'
  for (const track of sounds) if ((await track.getCodec()) !== 'aac') return 'not-aac'
  for (const track of [...videos, ...sounds]) if (!(await isReadableToItsEnd(track))) return 'file-truncated'
  return null
}

const isWithin = (value: number, max: number) => value >= 1 && value <= max

/** No real file exceeds these limits: a file that claims to is damaged. */
function isBelievable({ durationSeconds, width, height, sampleRate, channels }: Facts): boolean {
  const isPicture = isWithin(width, MAX_PIXELS) && isWithin(height, MAX_PIXELS)
  const isSound = isWithin(sampleRate ?? 1, MAX_SAMPLE_RATE) && isWithin(channels ?? 1, MAX_CHANNELS)
  return durationSeconds <= MAX_SECONDS && isPicture && isSound
}

async function probeTracks(input: Input, sizeBytes: number): Promise<MediaProbeResult<ProbedVideo>> {
  const videos = await input.getVideoTracks()
  const sounds = await input.getAudioTracks()
  const fault = await findFault(videos, sounds)
  const [video] = videos
  if (fault || !video) return refuse(fault ?? 'no-video')
  const [sound] = sounds
  const durationSeconds = await input.computeDuration()
  if (!(durationSeconds > 0)) return refuse('sound-too-short')
  const facts = {
    durationSeconds,
    bitRate: averageBitRate(sizeBytes, durationSeconds),
    width: Math.round(await video.getDisplayWidth()),
    height: Math.round(await video.getDisplayHeight()),
    sampleRate: sound ? await sound.getSampleRate() : null,
    channels: sound ? await sound.getNumberOfChannels() : null,
  }
  return isBelievable(facts) ? { accepted: true, contentType: 'video/mp4', ...facts } : refuse('file-damaged')
}

/** Probes the tracks of an MP4 whose boxes are whole. Wrong bytes in a table may take any time and memory. */
export async function probeMp4Tracks(path: string): Promise<MediaProbeResult<ProbedVideo>> {
  const input = new Input({ source: new FilePathSource(path, { maxCacheSize: CACHE_BYTES }), formats: [MP4] })
  try {
    return await probeTracks(input, (await stat(path)).size)
  } catch {
    // The library throws on boxes that contradict each other: every such file is damaged.
    return refuse('file-damaged')
  } finally {
    input.dispose()
  }
}
