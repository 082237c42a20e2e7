import { expect, test } from 'vitest'
import { EventLog } from './event-log.ts'
import { Metrics } from './metrics.ts'

const note = (message: string) =>
  ({ kind: 'debug', at: '2026-11-21T12:00:00.000Z', level: 'info', code: 'note', message }) as const
const accepted = { accepted: 2, duplicates: 0, refused: new Map<string, string>() }

test('events that were sent twice are removed once, without any later event', () => {
  const metrics = new Metrics()
  const log = new EventLog(metrics)
  log.append(note('one'))
  log.append(note('two'))
  const [first, again] = [log.readUnsent(10), log.readUnsent(10)]
  log.append(note('three'))
  log.markSent(first, accepted)
  log.markSent(again, { ...accepted, accepted: 0, duplicates: 2 })
  expect(log.readUnsent(10).map(({ body }) => body)).toMatchObject([{ message: 'three', sequence: 3 }])
  expect(metrics.events).toEqual({ sent: 5, accepted: 2, duplicates: 2, refused: 0, lost: 0 })
})

test('a device with a full disk loses the events beyond those it can keep, and numbers them', () => {
  const metrics = new Metrics()
  const log = new EventLog(metrics, { maxKept: 2 })
  for (const message of ['one', 'two', 'three']) log.append(note(message))
  log.markSent(log.readUnsent(10), accepted)
  log.append(note('four'))
  expect(log.readUnsent(10).map(({ body }) => body)).toMatchObject([{ message: 'four', sequence: 4 }])
  expect(metrics.events.lost).toBe(1)
})

test('a log that keeps what it has sent sends it again since a moment, in its order, and knows when all has come', () => {
  const log = new EventLog(new Metrics(), { keepsSent: true })
  const messages = () => log.readUnsent(10).map(({ body }) => (body as { message: string }).message)
  log.append(note('one'))
  log.append(note('refused'))
  const sent = log.readUnsent(10)
  const refused = new Map(sent.slice(1).map(({ id }) => [id, 'wrong']))
  log.markSent(sent, { accepted: 1, duplicates: 0, refused })
  log.append(note('two'))
  const places: number[] = []
  const resendSince = (at: number) => void log.resendSince(at, each => void places.push(each))
  resendSince(Date.now() + 60_000)
  expect([places, messages()]).toEqual([[3], ['two']])
  resendSince(0)
  const place = places.at(-1) ?? 0
  log.append(note('three'))
  expect(messages()).toEqual(['one', 'two', 'three'])
  expect(log.hasUnsentUpTo(place)).toBe(true)
  log.markSent(log.readUnsent(2), accepted)
  expect(log.hasUnsentUpTo(place)).toBe(false)
  expect(log.oldestAt()).toBe(Date.parse('2026-11-21T12:00:00.000Z'))
})
