/** A worker thread that takes paths of MP4s whose boxes are whole, judges their tracks and posts its verdicts. */
import { stat } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
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
import { bitRateOf, refuse, type AcceptedVideo, type RefusalReason, type Refused } from './verdict.ts'

const CACHE_BYTES = 4 * 1024 * 1024
const MOST_SECONDS = 100 * 3600
const MOST_PIXELS = 16_384
const MOST_SAMPLE_RATE = 192_000
const MOST_CHANNELS = 16

type Facts = Omit<AcceptedVideo, 'accepted' | 'contentType'>

// It would print what it cannot read to the console; the verdict says so.
Logging.level = LogLevel.Silent

async function isReadableToItsEnd(track: InputTrack): Promise<boolean> {
  const last = await new EncodedPacketSink(track).getPacket(Infinity)
  return last !== null && last.data.byteLength > 0
}

async function findFault(
  videos: InputVideoTrack[],
  sounds: InputAudioTrack[],
): Promise<RefusalReason | null> {
  if (videos.length === 0) return 'no-video'
  for (const track of videos) if ((await track.getCodec()) !== 'avc') return 'not-h264'
  for (const track of sounds) if ((await track.getCodec()) !== 'aac') return 'not-aac'
  for (const track of [...videos, ...sounds]) if (!(await isReadableToItsEnd(track))) return 'file-truncated'
  return null
}

const isWithin = (value: number, most: number) => value >= 1 && value <= most

/** No real file goes beyond; one that says so lies in other things too. */
function isBelievable({ durationSeconds, width, height, sampleRate, channels }: Facts): boolean {
  const isPicture = isWithin(width, MOST_PIXELS) && isWithin(height, MOST_PIXELS)
  const isSound = isWithin(sampleRate ?? 1, MOST_SAMPLE_RATE) && isWithin(channels ?? 1, MOST_CHANNELS)
  return durationSeconds <= MOST_SECONDS && isPicture && isSound
}

async function judgeTracks(input: Input, sizeBytes: number): Promise<AcceptedVideo | Refused> {
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
    bitRate: bitRateOf(sizeBytes, durationSeconds),
    width: Math.round(await video.getDisplayWidth()),
    height: Math.round(await video.getDisplayHeight()),
    sampleRate: sound ? await sound.getSampleRate() : null,
    channels: sound ? await sound.getNumberOfChannels() : null,
  }
  return isBelievable(facts) ? { accepted: true, contentType: 'video/mp4', ...facts } : refuse('file-damaged')
}

async function judgeFile(path: string): Promise<AcceptedVideo | Refused> {
  const input = new Input({ source: new FilePathSource(path, { maxCacheSize: CACHE_BYTES }), formats: [MP4] })
  try {
    return await judgeTracks(input, (await stat(path)).size)
  } catch {
    // The library throws on boxes that contradict each other; every such file is broken, whatever the words.
    return refuse('file-damaged')
  } finally {
    input.dispose()
  }
}

parentPort?.on('message', (path: string) => {
  void judgeFile(path).then(verdict => parentPort?.postMessage(verdict))
})
