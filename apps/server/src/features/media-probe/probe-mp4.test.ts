import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mp4Fixtures, mp3Fixtures, hostileFixtures } from '@floorcast/testing/media-fixtures.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { probeFile } from './probe-file.ts'

const probeMp4 = async (path: string) =>
  probeFile('mp4', { path, sizeBytes: (await stat(path)).size, clientId: 'one' })

test.each(Object.values(mp4Fixtures))(
  'an MP4 is probed by its boxes and packets $name is accepted with its exact length',
  async fixture => {
    const result = await probeMp4(fixture.path)
    expect(result).toMatchObject({
      accepted: true,
      contentType: 'video/mp4',
      width: 128,
      height: 72,
      sampleRate: fixture.sampleRate,
      channels: fixture.channels,
    })
    expect(result.accepted && result.durationSeconds).toBeCloseTo(fixture.durationSeconds, 2)
  },
)

test.each(hostileFixtures.filter(file => file.claims === 'video/mp4'))(
  'an MP4 is probed by its boxes and packets $name is refused: $why',
  async file => {
    expect(await probeMp4(file.path)).toEqual({ accepted: false, reason: file.why })
  },
)

test('an MP4 is probed by its boxes and packets an MP3 is no MP4', async () => {
  expect(await probeMp4(mp3Fixtures.mono.path)).toEqual({ accepted: false, reason: 'not-mp4' })
})

describe('an MP4 is as long as its edit list says', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'floorcast-mp4-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** Writes the only entry of each track's edit list: its duration, its start in the medium, its speed. */
  async function probeEdited(entry: { durationMs?: number; speed?: number }) {
    const bytes = Buffer.from(await readFile(mp4Fixtures.moovLast.path))
    for (let at = bytes.indexOf('elst'); at >= 0; at = bytes.indexOf('elst', at + 4)) {
      if (entry.durationMs !== undefined) bytes.writeUInt32BE(entry.durationMs, at + 12)
      if (entry.speed !== undefined) bytes.writeUInt32BE(entry.speed * 0x1_0000, at + 20)
    }
    const path = join(folder, 'edited.mp4')
    await writeFile(path, bytes)
    return probeMp4(path)
  }

  test('its end is cut off', async () => {
    const result = await probeEdited({ durationMs: 1500 })
    expect(result.accepted && result.durationSeconds).toBeCloseTo(1.5, 3)
  })
  test('its end is that of the medium', async () => {
    const result = await probeEdited({ durationMs: 0 })
    expect(result.accepted && result.durationSeconds).toBeCloseTo(4, 2)
  })
  test('at twice its speed it is refused', async () => {
    expect(await probeEdited({ speed: 2 })).toEqual({ accepted: false, reason: 'edit-list' })
  })
})

describe('an MP4 whose tables lie', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'floorcast-mp4-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each(['stts', 'stsz', 'stco', 'stsc'])(
    'a %s of four billion entries is refused in bounded memory',
    async box => {
      const bytes = Buffer.from(await readFile(mp4Fixtures.silent.path))
      const countOffset = box === 'stsz' ? 12 : 8
      bytes.writeUInt32BE(0xffffffff, bytes.indexOf(box) + countOffset)
      const path = join(folder, `${box}.mp4`)
      await writeFile(path, bytes)
      expect(await probeMp4(path)).toMatchObject({ accepted: false })
    },
  )
})
