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
import type { TrackEdit } from './mp4-edits.ts'
import {
  averageBitRate,
  refuse,
  type MediaProbeResult,
  type ProbedVideo,
  type ProbeRefusalReason,
} from './probe-result.ts'

const CACHE_BYTES = 4 * 1024 * 1024
/** Players begin at 0. The first picture of a real film is some hundredths later at most. */
const MAX_LEAD_SECONDS = 0.2
const EDIT_TICK_SECONDS = 0.05
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

/** Players play one track of a kind: the first that is enabled. Others, such as thumbnails, say nothing of it. */
async function findPlayed<Track extends InputTrack>(tracks: readonly Track[]): Promise<Track | null> {
  for (const track of tracks) if ((await track.getDisposition()).default) return track
  return tracks[0] ?? null
}

async function findFault(
  video: InputVideoTrack,
  sound: InputAudioTrack | null,
  edits: ReadonlyMap<number, TrackEdit>,
): Promise<ProbeRefusalReason | null> {
  if ((await video.getCodec()) !== 'avc') return 'not-h264'
  if (sound && (await sound.getCodec()) !== 'aac') return 'not-aac'
  const played = sound ? [video, sound] : [video]
  for (const track of played) if (!(await isReadableToItsEnd(track))) return 'file-truncated'
  // Players would show other parts of it, or other speeds.
  if (played.some(({ id }) => edits.get(id)?.isComposed)) return 'edit-list'
  const begins = await Promise.all(played.map(track => track.getFirstTimestamp()))
  return Math.min(...begins) > MAX_LEAD_SECONDS ? 'starts-late' : null
}

/** When a track ends, by its edit list where that cuts its end off. */
async function endOf(track: InputTrack, edit: TrackEdit | undefined): Promise<number> {
  const endsAt = await track.computeDuration()
  const editedEnd = edit?.duration == null ? endsAt : edit.delay + edit.duration
  // Edit lists count in coarse ticks.
  return endsAt - editedEnd > EDIT_TICK_SECONDS ? editedEnd : endsAt
}

const isWithin = (value: number, max: number) => value >= 1 && value <= max

/** No real file exceeds these limits: a file that claims to is damaged. */
function isBelievable({ durationSeconds, width, height, sampleRate, channels }: Facts): boolean {
  const isPicture = isWithin(width, MAX_PIXELS) && isWithin(height, MAX_PIXELS)
  const isSound = isWithin(sampleRate ?? 1, MAX_SAMPLE_RATE) && isWithin(channels ?? 1, MAX_CHANNELS)
  return durationSeconds <= MAX_SECONDS && isPicture && isSound
}

async function probeTracks(
  input: Input,
  { sizeBytes, edits }: { sizeBytes: number; edits: ReadonlyMap<number, TrackEdit> },
): Promise<MediaProbeResult<ProbedVideo>> {
  const video = await findPlayed(await input.getVideoTracks())
  const sound = await findPlayed(await input.getAudioTracks())
  if (!video) return refuse('no-video')
  const fault = await findFault(video, sound, edits)
  if (fault) return refuse(fault)
  const ends = (sound ? [video, sound] : [video]).map(track => endOf(track, edits.get(track.id)))
  const durationSeconds = Math.max(...(await Promise.all(ends)))
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
export async function probeMp4Tracks(
  path: string,
  edits: ReadonlyMap<number, TrackEdit>,
): Promise<MediaProbeResult<ProbedVideo>> {
  const input = new Input({ source: new FilePathSource(path, { maxCacheSize: CACHE_BYTES }), formats: [MP4] })
  try {
    return await probeTracks(input, { sizeBytes: (await stat(path)).size, edits })
  } catch {
    // The library throws on boxes that contradict each other: every such file is damaged.
    return refuse('file-damaged')
  } finally {
    input.dispose()
  }
}
