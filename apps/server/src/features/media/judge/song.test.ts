import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { expect, test } from 'vitest'
import { judgeMp3 } from './judge-mp3.ts'

test('the songs that the fixtures make have the length it says and play without a gap', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'floorcast-songs-'))
  for (const song of await writeSongs(folder, { count: 4 })) {
    const verdict = await judgeMp3(song.path)
    expect(verdict).toMatchObject({ accepted: true, sampleRate: 44100, channels: 1 })
    expect(verdict.accepted && verdict.gapless).not.toBeNull()
    expect(verdict.accepted && verdict.durationSeconds).toBeCloseTo(song.durationSeconds, 6)
  }
  await rm(folder, { recursive: true })
})
