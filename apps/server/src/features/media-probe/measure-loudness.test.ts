import { spawnSync } from 'node:child_process'
import { mp3Fixtures, mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { expect, test } from 'vitest'
import { measureMp3Loudness, measureMp4Loudness, parseEbur128 } from './measure-loudness.ts'

const limits = { deadlineMs: 60_000 }
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

function askFfmpeg(path: string) {
  const { stderr } = spawnSync(
    'ffmpeg',
    ['-i', path, '-filter:a', 'ebur128=peak=true:dualmono=true', '-f', 'null', '-'],
    {
      encoding: 'utf8',
    },
  )
  return parseEbur128(stderr)
}

test.each([
  [mp3Fixtures.cbrStereo, -13.0, -10.9],
  [mp3Fixtures.vbrXing, -11.4, -7.5],
  [mp3Fixtures.mono, -13.1, -12.4],
])('loudness of an MP3 $name is measured', async (fixture, lufs, peak) => {
  const figures = await measureMp3Loudness(fixture.path, limits)
  expect(Math.abs((figures?.integratedLufs ?? 0) - lufs)).toBeLessThan(0.1)
  expect(Math.abs((figures?.truePeakDbtp ?? 0) - peak)).toBeLessThan(0.3)
})

test.runIf(hasFfmpeg).each(Object.values(mp3Fixtures))(
  "loudness of an MP3 $name: within 0.1 LU of ffmpeg's figure",
  async fixture => {
    const own = await measureMp3Loudness(fixture.path, limits)
    const theirs = askFfmpeg(fixture.path)
    // ffmpeg prints one decimal, hence half of one beside the tenth.
    expect(Math.abs((own?.integratedLufs ?? 0) - (theirs?.integratedLufs ?? 99))).toBeLessThan(0.15)
    expect(Math.abs((own?.truePeakDbtp ?? 0) - (theirs?.truePeakDbtp ?? 99))).toBeLessThan(0.3)
  },
)

test('loudness of an MP3 a file that is gone ends in an error, not in a wait', async () => {
  await expect(measureMp3Loudness('/nowhere/song.mp3', limits)).rejects.toThrow('ENOENT')
})

test.runIf(hasFfmpeg)('loudness of an MP4 the sound of a video is measured', async () => {
  const figures = await measureMp4Loudness(mp4Fixtures.faststart.path, limits)
  expect(Math.abs((figures?.integratedLufs ?? 0) + 11.7)).toBeLessThan(0.2)
})

test('loudness of an MP4 a video without sound has no figure', async () => {
  expect(await measureMp4Loudness(mp4Fixtures.silent.path, limits)).toBeNull()
})
