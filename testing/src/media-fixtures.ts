/** Real media files for tests: where they lie and what is true of them. `media-make.ts` makes them. */
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

/** The folder of the committed fixtures. */
export const mediaFolder = fileURLToPath(new URL('../media/', import.meta.url))

/** A good file and the facts that an upload must find in it. */
export type GoodFixture = {
  name: string
  path: string
  contentType: 'audio/mpeg' | 'video/mp4'
  durationSeconds: number
  sampleRate: number | null
  channels: number | null
}

type SoundForm = readonly [sampleRate: number, channels: number] | null

const good = (name: string, durationSeconds: number, sound: SoundForm): GoodFixture => ({
  name,
  path: join(mediaFolder, name),
  contentType: name.endsWith('.mp3') ? 'audio/mpeg' : 'video/mp4',
  durationSeconds,
  sampleRate: sound?.[0] ?? null,
  channels: sound?.[1] ?? null,
})

const stereo = [44100, 2] as const

/** MP3s with an exact length. Those without LAME's delay and padding count whole frames of 1152 samples. */
export const mp3Fixtures = {
  cbrStereo: good('cbr-stereo.mp3', 3, stereo),
  vbrXing: good('vbr-xing.mp3', 5, stereo),
  vbrNoXing: good('vbr-no-xing.mp3', (155 * 1152) / 44100, stereo),
  mono: good('mono.mp3', 3, [44100, 1]),
  mpeg2: good('mpeg2-22050.mp3', 3, [22050, 2]),
  mpeg25: good('mpeg25-11025.mp3', 3, [11025, 1]),
  hugeId3: good('huge-id3.mp3', 3, stereo),
  taggedEnds: good('tagged-ends.mp3', 3, stereo),
  vbri: good('vbri.mp3', (116 * 1152) / 44100, stereo),
} as const

/** MP3s with the tags of `taggedCredits`, in UTF-16 and in UTF-8. */
export const taggedFixtures = ['credits-id3v23.mp3', 'credits-id3v24.mp3'].map(name => ({
  name,
  path: join(mediaFolder, name),
}))

/** The credits of the tagged fixtures, as ffmpeg names them. */
export const taggedCredits = {
  artist: 'AC/DC',
  title: 'Ça ira – أغنية',
  composer: 'Ångström; B. Zhōu',
  TSRC: 'US-RC1-76-07839',
  publisher: 'North & Söhne',
}

/** Files with a picture in their tags: a fixture of `imageFixtures`. */
export const coverFixtures = (
  [
    { name: 'cover-id3v23.mp3', contentType: 'melodies', picture: 'preview.jpg', mimeType: 'image/jpeg' },
    { name: 'cover-id3v24.mp3', contentType: 'ads', picture: 'preview.png', mimeType: 'image/png' },
    { name: 'cover.mp4', contentType: 'videos', picture: 'preview.jpg', mimeType: 'image/jpeg' },
  ] as const
).map(({ name, picture, ...cover }) => ({
  ...cover,
  name,
  path: join(mediaFolder, name),
  picture: join(mediaFolder, picture),
}))

/** MP4s of H.264 with AAC or without sound, 128 × 72. */
export const mp4Fixtures = {
  faststart: good('video-faststart.mp4', 4, stereo),
  moovLast: good('video-moov-last.mp4', 4, stereo),
  fragmented: good('video-fragmented.mp4', 4, stereo),
  silent: good('video-silent.mp4', 3, null),
  /** An edit list leaves out its first second and a half. */
  trimmed: good('video-trimmed.mp4', 2.5, stereo),
  /** A track of JPEG pictures lasts longer than the film. */
  thumbnails: good('video-thumbnails.mp4', 4, stereo),
} as const

/** A file that must be refused, the type that it claims, and the reason that the probe has to give. */
export type HostileFixture = { name: string; path: string; claims: GoodFixture['contentType']; why: string }

const bad = (name: string, why: string): HostileFixture => ({
  name,
  path: join(mediaFolder, name),
  claims: name.endsWith('.mp3') ? 'audio/mpeg' : 'video/mp4',
  why,
})

/** Files that must be refused. */
export const hostileFixtures: readonly HostileFixture[] = [
  bad('hostile-wav.mp3', 'not-mp3'),
  bad('hostile-mp2.mp3', 'not-layer-3'),
  bad('hostile-adts.mp3', 'not-mp3'),
  bad('hostile-empty.mp3', 'file-empty'),
  bad('hostile-text.mp3', 'not-mp3'),
  bad('hostile-html.mp3', 'not-mp3'),
  bad('hostile-id3-length.mp3', 'file-damaged'),
  bad('hostile-truncated.mp3', 'file-truncated'),
  bad('hostile-junk.mp3', 'file-damaged'),
  bad('hostile-mkv.mp4', 'not-mp4'),
  bad('hostile-mov.mp4', 'quicktime'),
  bad('hostile-sound-only.mp4', 'no-video'),
  bad('hostile-hevc.mp4', 'not-h264'),
  bad('hostile-mpeg4-part2.mp4', 'not-h264'),
  bad('hostile-mp3-sound.mp4', 'not-aac'),
  bad('hostile-starts-late.mp4', 'starts-late'),
  bad('hostile-truncated.mp4', 'file-damaged'),
  bad('hostile-no-moov.mp4', 'file-damaged'),
  bad('hostile-truncated-fragment.mp4', 'file-damaged'),
]

/** Pictures that a preview may be. */
export const imageFixtures = [
  { name: 'preview.png', path: join(mediaFolder, 'preview.png'), contentType: 'image/png' },
  { name: 'preview.jpg', path: join(mediaFolder, 'preview.jpg'), contentType: 'image/jpeg' },
  { name: 'preview.webp', path: join(mediaFolder, 'preview.webp'), contentType: 'image/webp' },
] as const

/** A screenshot that mpv has written. */
export const screenshotFixture = join(mediaFolder, 'screenshot.jpg')
