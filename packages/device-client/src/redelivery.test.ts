import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Redelivery, type SentEvents } from './redelivery.ts'

const NOW = Date.parse('2026-11-30T12:00:00.000Z')
const DAY = 86_400_000
beforeEach(() => void vi.useFakeTimers({ now: NOW }))
afterEach(() => void vi.useRealTimers())

/** A device whose log has some events that the server lacks, once it is opened again. */
function openDevice(part: Partial<SentEvents> = {}) {
  const state = new Map<string, unknown>()
  const log = { unsent: 0, asked: [] as number[] }
  const printed: string[] = []
  const redelivery = new Redelivery({
    events: {
      resendSince: async (at, remember) => {
        log.asked.push(at)
        log.unsent = 3
        remember(7)
      },
      hasUnsentUpTo: () => log.unsent > 0,
      oldestAt: () => NOW - 2 * DAY,
      ...part,
    },
    state: { read: name => state.get(name) ?? null, write: (name, value) => state.set(name, value).size > 0 },
    now: () => Date.now(),
    random: () => 0.5,
    wake: () => undefined,
    print: line => void printed.push(line),
  })
  const epoch = randomUUID()
  const restored = { epoch, since: new Date(NOW - DAY).toISOString(), withinSeconds: 60 }
  return { redelivery, state, log, printed, restored }
}

test('a device opens its log again once for each restore, at its own moment, and answers when all has been sent', async () => {
  const { redelivery, log, restored } = openDevice()
  redelivery.note(restored)
  redelivery.note(restored)
  await vi.advanceTimersByTimeAsync(29_000)
  expect([log.asked, redelivery.answer()]).toEqual([[], undefined])
  await vi.advanceTimersByTimeAsync(1000)
  expect(log.asked).toEqual([NOW - DAY - 15 * 60_000])
  expect(redelivery.answer()).toBeUndefined()
  log.unsent = 0
  const heldSince = new Date(NOW - 2 * DAY).toISOString()
  expect(redelivery.answer()).toEqual({ epoch: restored.epoch, heldSince })
  redelivery.note(restored)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(log.asked).toHaveLength(1)
})

test('a device that holds nothing answers that it holds nothing, and says that another one may have played', async () => {
  const { redelivery, restored } = openDevice({
    resendSince: async (_, remember) => remember(0),
    oldestAt: () => null,
    isPartial: () => true,
  })
  redelivery.note(restored)
  await vi.advanceTimersByTimeAsync(30_000)
  const heldSince = new Date(NOW + 30_000).toISOString()
  expect(redelivery.answer()).toEqual({ epoch: restored.epoch, heldSince, isPartial: true })
})

test('a device whose former build opened its log again without an answer does it once more after its update', async () => {
  const { redelivery, state, log, restored } = openDevice()
  state.set('restored-epoch', restored.epoch)
  expect(redelivery.answer()).toBeUndefined()
  redelivery.note(restored)
  await vi.advanceTimersByTimeAsync(30_000)
  log.unsent = 0
  expect(redelivery.answer()).toMatchObject({ epoch: restored.epoch })
})

test('a log that cannot be read is asked again with the next answer of the server', async () => {
  let isBroken = true
  const { redelivery, printed, restored } = openDevice({
    resendSince: async (_, remember) => {
      if (isBroken) throw new Error('disk')
      remember(1)
    },
    hasUnsentUpTo: () => false,
  })
  redelivery.note(restored)
  await vi.advanceTimersByTimeAsync(30_000)
  expect([redelivery.answer(), printed.length]).toEqual([undefined, 1])
  isBroken = false
  redelivery.note(restored)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(redelivery.answer()).toMatchObject({ epoch: restored.epoch })
})
