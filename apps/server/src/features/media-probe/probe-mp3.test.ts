import { mp3Fixtures, hostileFixtures } from '@floorcast/testing/media-fixtures.ts'
import { describe, expect, test } from 'vitest'
import { probeMp3 } from './probe-mp3.ts'

describe('an MP3 is probed by its frames', () => {
  test.each(Object.values(mp3Fixtures))('$name is accepted with its exact length', async fixture => {
    const result = await probeMp3(fixture.path)
    expect(result).toMatchObject({
      accepted: true,
      contentType: 'audio/mpeg',
      sampleRate: fixture.sampleRate,
      channels: fixture.channels,
    })
    expect(result.accepted && result.durationSeconds).toBeCloseTo(fixture.durationSeconds, 6)
  })

  test('delay and padding are known from the Info frame, and only from there', async () => {
    expect(await probeMp3(mp3Fixtures.cbrStereo.path)).toMatchObject({
      gapless: { delaySamples: 576, paddingSamples: 756 },
    })
    expect(await probeMp3(mp3Fixtures.vbrNoXing.path)).toMatchObject({ gapless: null })
    expect(await probeMp3(mp3Fixtures.vbri.path)).toMatchObject({ gapless: null })
  })

  test.each(hostileFixtures.filter(file => file.claims === 'audio/mpeg'))(
    '$name is refused: $why',
    async file => {
      expect(await probeMp3(file.path)).toEqual({ accepted: false, reason: file.why })
    },
  )

  test.each(hostileFixtures.filter(file => file.claims === 'video/mp4'))(
    '$name is no MP3 either',
    async file => {
      expect(await probeMp3(file.path)).toMatchObject({ accepted: false })
    },
  )
})
