import { open, stat } from 'node:fs/promises'
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
import { FileWindow } from './file-window.ts'
import { checkMp4Boxes } from './mp4-boxes.ts'
import { refuse, type AcceptedVideo, type RefusalReason, type Refused } from './verdict.ts'

const CACHE_BYTES = 4 * 1024 * 1024
// It would print what it cannot read to the console; the verdict says so.
Logging.level = LogLevel.Silent

async function checkBoxes(path: string): Promise<RefusalReason | null> {
  const handle = await open(path)
  try {
    return await checkMp4Boxes(new FileWindow(handle, (await handle.stat()).size))
  } finally {
    await handle.close()
  }
}

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

async function judgeTracks(input: Input, sizeBytes: number): Promise<AcceptedVideo | Refused> {
  const videos = await input.getVideoTracks()
  const sounds = await input.getAudioTracks()
  const fault = await findFault(videos, sounds)
  const [video] = videos
  if (fault || !video) return refuse(fault ?? 'no-video')
  const [sound] = sounds
  const durationSeconds = await input.computeDuration()
  if (!(durationSeconds > 0)) return refuse('sound-too-short')
  return {
    accepted: true,
    contentType: 'video/mp4',
    durationSeconds,
    bitRate: Math.round((sizeBytes * 8) / durationSeconds),
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    sampleRate: sound ? await sound.getSampleRate() : null,
    channels: sound ? await sound.getNumberOfChannels() : null,
  }
}

/**
 * Judges a file on disk as MP4 of H.264 with AAC or no sound. HEVC and MPEG-4 part 2 are refused because Chromium
 * plays them as sound with a black picture and reports no error.
 */
export async function judgeMp4(path: string): Promise<AcceptedVideo | Refused> {
  const fault = await checkBoxes(path)
  if (fault) return refuse(fault)
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
