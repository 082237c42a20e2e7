import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mp3Fixtures, hostileFixtures } from '@floorcast/testing/media-fixtures.ts'
import { framesOf, id3v1Tag, id3v2Tag, withoutInfoFrame } from '@floorcast/testing/media-mpeg.ts'
import { expect, onTestFinished, test } from 'vitest'
import { probeMp3 } from './probe-mp3.ts'

test.each(Object.values(mp3Fixtures))(
  'an MP3 is probed by its frames $name is accepted with its exact length',
  async fixture => {
    const result = await probeMp3(fixture.path)
    expect(result).toMatchObject({
      accepted: true,
      contentType: 'audio/mpeg',
      sampleRate: fixture.sampleRate,
      channels: fixture.channels,
    })
    expect(result.accepted && result.durationSeconds).toBeCloseTo(fixture.durationSeconds, 6)
  },
)

test('an MP3 is probed by its frames delay and padding are known from the Info frame, and only from there', async () => {
  expect(await probeMp3(mp3Fixtures.cbrStereo.path)).toMatchObject({
    gapless: { delaySamples: 576, paddingSamples: 756 },
  })
  expect(await probeMp3(mp3Fixtures.vbrNoXing.path)).toMatchObject({ gapless: null })
  expect(await probeMp3(mp3Fixtures.vbri.path)).toMatchObject({ gapless: null })
})

test.each(hostileFixtures.filter(file => file.claims === 'audio/mpeg'))(
  'an MP3 is probed by its frames $name is refused: $why',
  async file => {
    expect(await probeMp3(file.path)).toEqual({ accepted: false, reason: file.why })
  },
)

test.each(hostileFixtures.filter(file => file.claims === 'video/mp4'))(
  'an MP3 is probed by its frames $name is no MP3 either',
  async file => {
    expect(await probeMp3(file.path)).toMatchObject({ accepted: false })
  },
)

/** Probes a file of these parts. */
async function probeParts(parts: readonly Uint8Array[]) {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-mp3-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'file.mp3')
  writeFileSync(path, Buffer.concat(parts))
  return probeMp3(path)
}

const bareOf = ({ path }: { path: string }) => Buffer.from(withoutInfoFrame(readFileSync(path)))
const [oneChannel, stereo] = [bareOf(mp3Fixtures.mono), bareOf(mp3Fixtures.cbrStereo)]

test.each([
  { name: 'stereo, then one channel', parts: [stereo, oneChannel] },
  { name: 'one channel, then stereo', parts: [oneChannel, id3v2Tag(20), stereo] },
  { name: 'two frames of stereo', parts: [stereo.subarray(0, framesOf(stereo)[2]?.offset), oneChannel] },
  { name: 'a frame of stereo cut off', parts: [stereo.subarray(0, -100), oneChannel] },
])('a file whose sound changes is refused with what is there: $name', async ({ parts }) =>
  expect(await probeParts(parts)).toEqual({ accepted: false, reason: 'sound-changes' }),
)

test('a file whose sound changes is damaged where other bytes are among its frames', async () =>
  expect(await probeParts([oneChannel, Buffer.alloc(9000, 0x55), oneChannel])).toEqual({
    accepted: false,
    reason: 'file-damaged',
  }))

const whole = readFileSync(mp3Fixtures.mono.path)
const bare = Buffer.from(withoutInfoFrame(whole))
const frames = framesOf(bare).length
const lengthOf = (count: number) => (count * 1152) / 44100
const cut = bare.subarray((framesOf(bare)[0]?.length ?? 0) - 50)
const zeros = (count: number) => Buffer.alloc(count)

test.each([
  { name: 'four bytes before the first frame', parts: [Buffer.from('junk'), bare], count: frames },
  { name: 'zeros before the first frame', parts: [zeros(417), bare], count: frames },
  { name: 'zeros behind a tag', parts: [id3v2Tag(20), zeros(4000), bare], count: frames },
  { name: 'the end of a frame at the start', parts: [cut], count: frames - 1 },
  { name: 'tags between joined files', parts: [bare, id3v1Tag(), id3v2Tag(900), bare], count: 2 * frames },
  { name: 'ID3v2 at the end', parts: [bare, id3v2Tag(900)], count: frames },
  { name: 'zeros at the end', parts: [bare, zeros(5000)], count: frames },
  { name: 'zeros behind ID3v1', parts: [bare, id3v1Tag(), zeros(1000)], count: frames },
  { name: 'a header of RIFF', parts: [Buffer.from('RIFF____WAVEfmt '), zeros(40), bare], count: frames },
])('bytes that are no frames, and that players skip $name', async ({ parts, count }) => {
  const result = await probeParts(parts)
  expect(result).toMatchObject({ accepted: true, sampleRate: 44100, channels: 1 })
  expect(result.accepted && result.durationSeconds).toBeCloseTo(lengthOf(count), 6)
})
