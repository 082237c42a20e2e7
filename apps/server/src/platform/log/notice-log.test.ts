import { expect, it, onTestFinished, vi } from 'vitest'
import { makeLog } from './log.ts'
import { NoticeLog } from './notice-log.ts'

interface Line {
  device: string
  suppressed?: number
}

it('has a line for each key in its time, which says how many warnings were left out before', () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const lines: Line[] = []
  const log = makeLog('info', { write: text => void lines.push(JSON.parse(text) as Line) })
  const notices = new NoticeLog(log, { quietMs: 60_000 })
  const warn = (device: string) => notices.warn(device, { device }, 'refused')
  const said = () => lines.splice(0).map(({ device, suppressed = 0 }) => [device, suppressed])
  for (const device of ['a', 'a', 'b', 'a']) warn(device)
  expect(said()).toEqual([
    ['a', 0],
    ['b', 0],
  ])
  now = 60_000
  // What was left out of a is told by the next warning of any key, once, and its time begins again.
  warn('b')
  warn('a')
  expect(said()).toEqual([
    ['a', 2],
    ['b', 0],
  ])
  now = 120_000
  warn('a')
  expect(said()).toEqual([['a', 1]])
})

it('lets the keys beyond a thousand share a line', () => {
  const lines: unknown[] = []
  const notices = new NoticeLog(makeLog('info', { write: text => void lines.push(text) }))
  for (let key = 0; key < 1100; key += 1) notices.warn(String(key), { key }, 'refused')
  expect(lines).toHaveLength(1001)
})
