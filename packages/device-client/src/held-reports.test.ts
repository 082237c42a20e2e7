import type { Held } from '@floorcast/contract/device-protocol.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { beforeEach, afterEach, expect, test, vi } from 'vitest'
import { HeldReports } from './held-reports.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const holding = (missing: number, revision = 1): Held[] => [{ publicationUid: uidOf(1), revision, missing }]

function openReports() {
  let held: Held[] = []
  const sent: Held[][] = []
  const channel = { isOpen: true, sendHeld: (list: Held[]) => void sent.push(list) }
  const reports = new HeldReports({
    channel,
    random: () => 0.5,
    steady: () => Date.now(),
    describe: () => held,
  })
  const change = async (now: Held[], passMs = 1000) => {
    held = now
    reports.change()
    await vi.advanceTimersByTimeAsync(passMs)
  }
  return { reports, sent, change }
}

test('A new publication and a complete one are reported within two seconds, the files in between four times a minute', async () => {
  const { sent, change } = openReports()
  await change(holding(40))
  expect(sent).toEqual([holding(40)])
  for (let missing = 39; missing > 9; missing -= 1) await change(holding(missing))
  expect(sent.map(([first]) => first?.missing)).toEqual([40, 25, 10])
  await change(holding(0))
  expect(sent.at(-1)).toEqual(holding(0))
  await change(holding(3, 2))
  expect(sent.at(-1)).toEqual(holding(3, 2))
  const count = sent.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(count)
})

test('What a heartbeat has reported is not reported again', async () => {
  const { reports, sent, change } = openReports()
  reports.noteReported(holding(0))
  await change(holding(0))
  expect(sent).toEqual([])
})
