import { expect, test } from 'vitest'
import { audibleEnd, endBefore, startOfNext, measureFileStart } from './audible-times.ts'

/** An mpv that plays entry 7, started at 1000; `roundTripsMs` are the lengths of its next calls. */
function makeMpv(roundTripsMs: number[], playing = 7) {
  let now = 0
  const asked: string[] = []
  const ask = async (property: string): Promise<unknown> => {
    asked.push(property)
    if (property === 'playlist-playing-pos') return Promise.resolve(3)
    if (property === 'playlist/3/id') return Promise.resolve(playing)
    const roundTripMs = roundTripsMs.shift() ?? 0
    now += roundTripMs / 4
    const position = (now - 1000) / 1000
    now += (roundTripMs * 3) / 4
    return Promise.resolve(position)
  }
  return { asked, at: (steady: number) => (now = steady), measure: () => measureFileStart(7, ask, () => now) }
}

test.each([640, 1000, 2500])(
  'The measured start does not depend on the time of the measurement, here %d',
  async at => {
    const mpv = makeMpv([2])
    mpv.at(at)
    const measured = await mpv.measure()
    expect(Math.abs((measured ?? 0) - 1000)).toBeLessThanOrEqual(1)
  },
)

test('After slow answers, the fastest of three counts', async () => {
  const mpv = makeMpv([400, 8, 90])
  mpv.at(1200)
  const measured = await mpv.measure()
  expect(Math.abs((measured ?? 0) - 1000)).toBeLessThanOrEqual(4)
  expect(mpv.asked.filter(property => property === 'audio-pts')).toHaveLength(3)
})

test('There is no measurement if mpv already plays another entry, plays nothing or fails', async () => {
  expect(await makeMpv([2], 8).measure()).toBeNull()
  const none = async () => Promise.resolve(null)
  expect(await measureFileStart(7, none, () => 0)).toBeNull()
  const gone = () => Promise.reject(new Error('mpv is gone'))
  expect(await measureFileStart(7, gone, () => 0)).toBeNull()
})

test('A gapless track starts at the previous end, unless it was measured to start later', () => {
  expect(startOfNext(5000, 5030, 4700)).toBe(5000)
  expect(startOfNext(5000, 4980, 5900)).toBe(5000)
  expect(startOfNext(5000, 5400, 5400)).toBe(5400)
  expect(startOfNext(5000, 4400, 4400)).toBe(5000)
  expect(startOfNext(5000, null, 5400)).toBe(5000)
  expect(startOfNext(5000, null, 5600)).toBe(5600)
})

test('A track ends after its exact length; a file with a wrong length ends with its sound', () => {
  expect(audibleEnd(4000, 3670)).toEqual({ at: 4000, isCertain: true })
  expect(audibleEnd(4000, 3900)).toEqual({ at: 4000, isCertain: false })
  expect(audibleEnd(4000, 4200)).toEqual({ at: 4000, isCertain: false })
  expect(audibleEnd(10_000, 5000)).toEqual({ at: 5330, isCertain: true })
  expect(audibleEnd(4000, 8000)).toEqual({ at: 8330, isCertain: false })
})

test('The next track tells that a file was too short, or an end not certain', () => {
  expect(endBefore({ at: 4000, isCertain: true }, 3990)).toBe(4000)
  expect(endBefore({ at: 4000, isCertain: true }, 4700)).toBe(4000)
  expect(endBefore({ at: 4000, isCertain: true }, 3000)).toBe(3000)
  expect(endBefore({ at: 4000, isCertain: false }, 3990)).toBe(3990)
  expect(endBefore({ at: 4000, isCertain: false }, 4700)).toBe(4700)
})
