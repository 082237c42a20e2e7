import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { expect, test } from 'vitest'
import { probeMp3 } from './probe-mp3.ts'

test('the songs that the fixtures make have the length it says and play without a gap', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'floorcast-songs-'))
  for (const song of await writeSongs(folder, { count: 4 })) {
    const result = await probeMp3(song.path)
    expect(result).toMatchObject({ accepted: true, sampleRate: 44100, channels: 1 })
    expect(result.accepted && result.gapless).not.toBeNull()
    expect(result.accepted && result.durationSeconds).toBeCloseTo(song.durationSeconds, 6)
  }
  await rm(folder, { recursive: true })
})
