import { expect, test } from 'vitest'
import { AudibleChain } from './audible.ts'

test("Tracks of exact length end where their length says, whatever the jitter of mpv's word", () => {
  const chain = new AudibleChain()
  let start = 100
  for (const jitter of [0, 20, -30, 10, -15]) start = chain.endOf(start, 3000, start + 3000 - 330 + jitter)
  expect(Math.abs(start - 15_100)).toBeLessThan(10)
})

test('A sound card that runs fast is followed over many tracks, within a tenth of a second', () => {
  const chain = new AudibleChain()
  const rate = 1 - 200e-6
  let [heard, believed] = [0, 0]
  for (let track = 0; track < 500; track += 1) {
    heard += 180_000 * rate
    believed = chain.endOf(believed, 180_000, heard - 330)
  }
  expect(500 * 180_000 - heard).toBeGreaterThan(10_000)
  expect(Math.abs(believed - heard)).toBeLessThan(200)
})

test('A file that is shorter or longer than it was said to be ends when its sound does', () => {
  const chain = new AudibleChain()
  chain.endOf(0, 3000, 2700)
  expect(chain.endOf(3000, 10_000, 5000)).toBe(5300)
  expect(chain.endOf(5300, 1000, 8000)).toBe(8300)
  chain.reset()
  expect(chain.endOf(0, 10_000, 2000)).toBe(2330)
})
