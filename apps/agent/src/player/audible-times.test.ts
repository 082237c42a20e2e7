import { expect, test } from 'vitest'
import { audibleEnd, startOfNext, measureFileStart } from './audible-times.ts'

/** mpv playing entry 7, begun at 1000; each of its answers takes as long as the next of `trips` says. */
function makeMpv(trips: number[], playing = 7) {
  let now = 0
  const asked: string[] = []
  const ask = async (property: string): Promise<unknown> => {
    asked.push(property)
    if (property === 'playlist-playing-pos') return Promise.resolve(3)
    if (property === 'playlist/3/id') return Promise.resolve(playing)
    const trip = trips.shift() ?? 0
    now += trip / 4
    const position = (now - 1000) / 1000
    now += (trip * 3) / 4
    return Promise.resolve(position)
  }
  return { asked, at: (steady: number) => (now = steady), measure: () => measureFileStart(7, ask, () => now) }
}

test.each([640, 1000, 2500])(
  'However late the agent asks, here at %d, a track began where mpv’s place in it says',
  async at => {
    const mpv = makeMpv([2])
    mpv.at(at)
    const found = await mpv.measure()
    expect(Math.abs((found ?? 0) - 1000)).toBeLessThanOrEqual(1)
  },
)

test('A slow answer is not the last word: of three the quickest counts', async () => {
  const mpv = makeMpv([400, 8, 90])
  mpv.at(1200)
  const found = await mpv.measure()
  expect(Math.abs((found ?? 0) - 1000)).toBeLessThanOrEqual(4)
  expect(mpv.asked.filter(property => property === 'audio-pts')).toHaveLength(3)
})

test('What mpv says while it plays another already is no measure, nor is silence or an error', async () => {
  expect(await makeMpv([2], 8).measure()).toBeNull()
  const none = async () => Promise.resolve(null)
  expect(await measureFileStart(7, none, () => 0)).toBeNull()
  const gone = () => Promise.reject(new Error('mpv is gone'))
  expect(await measureFileStart(7, gone, () => 0)).toBeNull()
})

test('A track that follows begins where the former ends, unless it was heard to begin later', () => {
  expect(startOfNext(5000, 5030, 4700)).toBe(5000)
  expect(startOfNext(5000, 4980, 5900)).toBe(5000)
  expect(startOfNext(5000, 5400, 5400)).toBe(5400)
  expect(startOfNext(5000, 4400, 4400)).toBe(5000)
  expect(startOfNext(5000, null, 5400)).toBe(5000)
  expect(startOfNext(5000, null, 5600)).toBe(5600)
})

test('A track ends where its exact length says; one that is shorter or longer when its sound does', () => {
  expect(audibleEnd(4000, 3670)).toEqual({ at: 4000, isCertain: true })
  expect(audibleEnd(4000, 3900)).toEqual({ at: 4000, isCertain: false })
  expect(audibleEnd(4000, 4200)).toEqual({ at: 4000, isCertain: false })
  expect(audibleEnd(10_000, 5000)).toEqual({ at: 5330, isCertain: true })
  expect(audibleEnd(4000, 8000)).toEqual({ at: 8330, isCertain: false })
})
