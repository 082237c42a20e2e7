import { expect, test } from 'vitest'
import { EventLog } from './event-log.ts'

const note = (message: string) =>
  ({ kind: 'debug', at: '2026-11-21T12:00:00.000Z', level: 'info', code: 'note', message }) as const

test('what was sent twice at once is forgotten once, and nothing that came after it', () => {
  const log = new EventLog()
  log.append(note('one'))
  log.append(note('two'))
  const [first, again] = [log.peek(), log.peek()]
  log.append(note('three'))
  log.drop(first)
  log.drop(again)
  expect(log.peek().map(event => event.sequence)).toEqual([3])
  expect(log.waiting).toBe(1)
})
