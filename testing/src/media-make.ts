/**
 * Makes the files of testing/media/ with the machine's ffmpeg (with libmp3lame, libx264 and libx265):
 * `node testing/src/media-make.ts`. The results are committed, so that tests need no ffmpeg.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mediaFolder, taggedCredits } from './media-fixtures.ts'
import { concatBytes, id3v1Tag, id3v2Tag, vbriFrame, withoutInfoFrame } from './media-mpeg.ts'

const at = (name: string) => join(mediaFolder, name)
const read = (name: string) => readFileSync(at(name))
const write = (name: string, bytes: Uint8Array | string) => writeFileSync(at(name), bytes)

/** Copies a fixture and gives it tags. */
function tag(
  name: string,
  source: string,
  { args, tags }: { args: readonly string[]; tags: Record<string, string> },
): void {
  const metadata = Object.entries(tags).flatMap(([key, value]) => ['-metadata', `${key}=${value}`])
  const input = [
    '-hide_banner',
    '-loglevel',
    'error',
    '-y',
    '-i',
    at(source),
    '-map_metadata',
    '-1',
    '-codec',
    'copy',
  ]
  execFileSync('ffmpeg', [...input, '-fflags', '+bitexact', ...args, ...metadata, at(name)], {
    stdio: 'inherit',
  })
}

/** Runs ffmpeg with one generated picture and sound (or either), bit-exact so that a second run changes nothing. */
function encode(name: string, args: readonly string[]): void {
  const quiet = ['-hide_banner', '-loglevel', 'error', '-y']
  const exact = [
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
    '-flags:v',
    '+bitexact',
    '-flags:a',
    '+bitexact',
  ]
  execFileSync('ffmpeg', [...quiet, ...args, ...exact, at(name)], { stdio: 'inherit' })
}

const tone = (expression: string, seconds: number, sampleRate: number) => [
  '-f',
  'lavfi',
  '-i',
  `aevalsrc=${expression}:s=${sampleRate}:d=${seconds}`,
]
const stereo = '0.3*sin(2*PI*440*t)|0.2*sin(2*PI*660*t)'
const swelling = '0.4*sin(2*PI*330*t)*sin(PI*t/4)|0.4*sin(2*PI*990*t)*sin(PI*t)'
const mono = '0.25*sin(2*PI*523*t)'
const picture = (seconds: number) => ['-f', 'lavfi', '-i', `testsrc2=s=128x72:r=25:d=${seconds}`]
const lame = ['-codec:a', 'libmp3lame']
const h264 = ['-codec:v', 'libx264', '-preset', 'veryslow', '-crf', '35', '-pix_fmt', 'yuv420p', '-g', '25']
const aac = ['-codec:a', 'aac', '-b:a', '48k']

function makeMp3s(): void {
  encode('cbr-stereo.mp3', [...tone(stereo, 3, 44100), ...lame, '-b:a', '96k', '-id3v2_version', '0'])
  encode('vbr-xing.mp3', [...tone(swelling, 5, 44100), ...lame, '-q:a', '6', '-id3v2_version', '3'])
  encode('vbr-no-xing.mp3', [...tone(swelling, 4, 44100), ...lame, '-q:a', '6', '-write_xing', '0'])
  encode('mono.mp3', [...tone(mono, 3, 44100), ...lame, '-b:a', '48k'])
  encode('mpeg2-22050.mp3', [...tone(stereo, 3, 22050), ...lame, '-b:a', '48k'])
  encode('mpeg25-11025.mp3', [...tone(mono, 3, 11025), ...lame, '-b:a', '24k'])
  const plain = read('cbr-stereo.mp3')
  write('huge-id3.mp3', concatBytes(id3v2Tag(120_000), plain))
  write('tagged-ends.mp3', concatBytes(id3v2Tag(300), id3v2Tag(100), plain, id3v1Tag()))
  const bare = withoutInfoFrame(plain)
  write('vbri.mp3', concatBytes(vbriFrame(bare), bare))
  tag('credits-id3v23.mp3', 'mono.mp3', { args: ['-id3v2_version', '3'], tags: taggedCredits })
  tag('credits-id3v24.mp3', 'mono.mp3', { args: ['-id3v2_version', '4'], tags: taggedCredits })
  const notes = [0, 2, 4, 5, 7, 9, 11, 12].map(step => (330 * 2 ** (step / 12)).toFixed(2))
  const scale = notes.map((hertz, i) => `between(t\\,${i}\\,${i + 1})*0.3*sin(2*PI*${hertz}*t)`).join('+')
  encode('notes.mp3', [...tone(scale, 8, 44100), ...lame, '-b:a', '64k', '-reservoir', '0'])
}

/** Copies a fixture and puts a picture into its tags, as programs for music do. */
function addCover(name: string, { source, cover, args }: { source: string; cover: string; args: string[] }) {
  const inputs = ['-hide_banner', '-loglevel', 'error', '-y', '-i', at(source), '-i', at(cover)]
  const streams = ['-map', '0', '-map', '1', '-codec', 'copy', '-map_metadata', '-1', '-fflags', '+bitexact']
  execFileSync('ffmpeg', [...inputs, ...streams, ...args, at(name)], { stdio: 'inherit' })
}

function makeCovers(): void {
  const front = ['-metadata:s:v', 'comment=Cover (front)', '-metadata', 'artist=Zoë']
  const id3 = (version: string) => ['-id3v2_version', version, ...front]
  addCover('cover-id3v23.mp3', { source: 'mono.mp3', cover: 'preview.jpg', args: id3('3') })
  addCover('cover-id3v24.mp3', { source: 'mono.mp3', cover: 'preview.png', args: id3('4') })
  const poster = ['-disposition:v:1', 'attached_pic']
  addCover('cover.mp4', { source: 'video-silent.mp4', cover: 'preview.jpg', args: poster })
}

function makeMp4s(): void {
  const both = [...picture(4), ...tone(stereo, 4, 44100), ...h264, ...aac]
  encode('video-faststart.mp4', [...both, '-movflags', '+faststart'])
  encode('video-moov-last.mp4', both)
  encode('video-fragmented.mp4', [...both, '-movflags', '+frag_keyframe+delay_moov+default_base_moof'])
  encode('video-silent.mp4', [...picture(3), ...h264, '-movflags', '+faststart'])
  const copied = ['-i', at('video-faststart.mp4'), '-codec', 'copy']
  // Cut without encoding: the file has what the edit list leaves out.
  encode('video-trimmed.mp4', ['-ss', '1.5', ...copied])
  const thumbnails = ['-f', 'lavfi', '-i', 'testsrc=size=32x18:rate=1:duration=6', '-map', '0', '-map', '1:v']
  const jpeg = ['-codec:v:1', 'mjpeg', '-disposition:v:1', '0']
  encode('video-thumbnails.mp4', [...copied.slice(0, 2), ...thumbnails, ...copied.slice(2), ...jpeg])
  encode('hostile-starts-late.mp4', ['-itsoffset', '10', ...copied])
}

function makeImages(): void {
  for (const name of ['preview.png', 'preview.jpg', 'preview.webp'])
    encode(name, [...picture(1), '-frames:v', '1'])
  const take = `mp.observe_property('time-pos', 'number', function(_, at)
    if at and at > 0.5 then mp.commandv('screenshot-to-file', '${at('screenshot.jpg')}', 'video') mp.commandv('quit') end
  end)`
  const script = join(tmpdir(), 'screenshot.lua')
  writeFileSync(script, take)
  const shown = 'av://lavfi:testsrc2=size=640x360:rate=25:duration=3'
  execFileSync('mpv', ['--no-config', '--vo=null', '--ao=null', `--script=${script}`, shown])
  rmSync(script)
}

function makeHostile(): void {
  const sound = tone(mono, 1, 22050)
  encode('hostile-wav.mp3', [...tone(mono, 1, 8000), '-f', 'wav'])
  encode('hostile-mp2.mp3', [...sound, '-codec:a', 'mp2', '-b:a', '32k', '-f', 'mp2'])
  encode('hostile-adts.mp3', [...sound, '-codec:a', 'aac', '-b:a', '32k', '-f', 'adts'])
  write('hostile-empty.mp3', '')
  write('hostile-text.mp3', 'This is a shopping list, not a song.\n'.repeat(40))
  write('hostile-html.mp3', '<!doctype html><title>404</title><script>alert(1)</script>\n'.repeat(20))
  write('hostile-id3-length.mp3', concatBytes(id3v2Tag(100, 200_000_000), read('mono.mp3')))
  const plain = read('cbr-stereo.mp3')
  write('hostile-truncated.mp3', plain.subarray(0, plain.length / 2))
  const hole = new Uint8Array(4000).fill(0x20)
  write('hostile-junk.mp3', concatBytes(plain.subarray(0, 10_000), hole, plain.subarray(10_000)))
  const short = [...picture(1), ...sound]
  encode('hostile-mkv.mp4', [...short, ...h264, ...aac, '-f', 'matroska'])
  encode('hostile-mov.mp4', [...short, ...h264, ...aac, '-f', 'mov'])
  encode('hostile-sound-only.mp4', [...sound, ...aac])
  encode('hostile-hevc.mp4', [
    ...short,
    '-codec:v',
    'libx265',
    '-x265-params',
    'log-level=none',
    '-crf',
    '40',
    ...aac,
  ])
  encode('hostile-mpeg4-part2.mp4', [...short, '-codec:v', 'mpeg4', '-q:v', '20', ...aac])
  encode('hostile-mp3-sound.mp4', [...short, ...h264, ...lame, '-b:a', '32k'])
  const video = read('video-faststart.mp4')
  write('hostile-truncated.mp4', video.subarray(0, Math.floor(video.length * 0.6)))
  const last = read('video-moov-last.mp4')
  write('hostile-no-moov.mp4', last.subarray(0, Math.floor(last.length * 0.6)))
  const fragmented = read('video-fragmented.mp4')
  write('hostile-truncated-fragment.mp4', fragmented.subarray(0, fragmented.length - 6000))
}

makeMp3s()
makeMp4s()
makeImages()
makeCovers()
makeHostile()
