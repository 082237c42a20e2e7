import { mp4Fixtures, mp3Fixtures, hostileFixtures } from '@floorcast/testkit/media-fixtures.ts'
import { describe, expect, test } from 'vitest'
import { judgeMp4 } from './judge-mp4.ts'

describe('an MP4 is judged by its boxes and packets', () => {
  test.each(Object.values(mp4Fixtures))('$name is accepted with its exact length', async fixture => {
    const verdict = await judgeMp4(fixture.path)
    expect(verdict).toMatchObject({
      accepted: true,
      contentType: 'video/mp4',
      width: 128,
      height: 72,
      sampleRate: fixture.sampleRate,
      channels: fixture.channels,
    })
    expect(verdict.accepted && verdict.durationSeconds).toBeCloseTo(fixture.durationSeconds, 2)
  })

  test.each(hostileFixtures.filter(file => file.claims === 'video/mp4'))(
    '$name is refused: $why',
    async file => {
      expect(await judgeMp4(file.path)).toEqual({ accepted: false, why: file.why })
    },
  )

  test('an MP3 is no MP4', async () => {
    expect(await judgeMp4(mp3Fixtures.mono.path)).toEqual({ accepted: false, why: 'not-mp4' })
  })
})
