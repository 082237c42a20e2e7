import type { EventDraft } from '@floorcast/playback/event-rules.ts'
import { clear } from 'idb-keyval'
import { beforeEach, expect, it } from 'vitest'
import { openPlayerStore } from '../../platform/browser-data.ts'
import { EventLog } from './event-log.ts'
import { PlayerDatabase } from './player-database.ts'

const device = '0193a1f0-0000-7000-8000-00000000000d'
const other = '0193a1f0-0000-7000-8000-00000000000e'
const hour = 3_600_000
const day = 24 * hour
const noon = Date.parse('2026-11-30T12:00:00.000Z')
const accepted = { accepted: 0, duplicates: 0, refused: new Map<string, string>() }

beforeEach(() => clear(openPlayerStore()))

const note = (message: string, at = noon): EventDraft => ({
  kind: 'debug',
  level: 'info',
  code: 'test',
  message,
  at: new Date(at).toISOString(),
})

/** A load of the page, as this browser stored what the former one had. */
async function load(deviceUid = device) {
  const database = await PlayerDatabase.open(deviceUid)
  const log = await EventLog.open(database)
  const unsent = () => log.readUnsent(1000).map(({ body }) => (body as { message: string }).message)
  return {
    log,
    unsent,
    /** Logs events, and the server takes all that is not sent. */
    send: async (messages: string[], at: number, refused: string[] = []) => {
      for (const message of messages) log.append(note(message, at))
      await database.written()
      const batch = log.readUnsent(1000)
      const isRefused = ({ body }: (typeof batch)[number]) =>
        refused.includes((body as { message: string }).message)
      const reasons = new Map(batch.filter(isRefused).map(({ id }) => [id, 'wrong']))
      log.markSent(batch, { ...accepted, refused: reasons }, at)
      await database.written()
    },
    resend: async (at: number) => {
      const places: number[] = []
      await log.resendSince(at, place => void places.push(place))
      await database.written()
      return places[0] ?? -1
    },
    written: () => database.written(),
  }
}

it('sends again what the server has had since a moment, also after the page was loaded again, and knows when all has come', async () => {
  const first = await load()
  await first.send(['one', 'two'], noon)
  await first.send(['three', 'refused'], noon + hour, ['refused'])
  const page = await load()
  page.log.append(note('new', noon + 2 * hour))
  await page.written()
  expect(page.unsent()).toEqual(['new'])
  const place = await page.resend(noon + 1)
  expect([page.unsent(), page.log.hasUnsentUpTo(place)]).toEqual([['new', 'three'], true])
  await page.send([], noon + 2 * hour)
  page.log.append(note('newer', noon + 2 * hour))
  expect(page.log.hasUnsentUpTo(place)).toBe(false)
  // A second restore asks for all; each event comes once, in the order in which it was sent.
  await page.resend(0)
  expect(page.unsent()).toEqual(['newer', 'one', 'two', 'new', 'three'])
  const ids = page.log.readUnsent(1000).map(({ id }) => id)
  expect(new Set(ids).size).toBe(5)
})

it('what is sent again keeps its dates when the clock is corrected', async () => {
  const page = await load()
  await page.send(['one'], noon)
  await page.resend(0)
  page.log.append(note('new'))
  page.log.shiftDates(hour)
  await page.written()
  const dates = page.log.readUnsent(10).map(({ body }) => (body as { at: string }).at)
  expect(dates).toEqual(['2026-11-30T12:00:00.000Z', '2026-11-30T13:00:00.000Z'])
})

it('is whole since this browser plays for the device, over all its loads, and begins again after another player', async () => {
  const first = await load()
  // The server knows of none: so does one that was restored.
  first.log.noteFormerRun(null, () => noon)
  expect(first.log.oldestAt()).toBeNull()
  await first.send(['one'], noon + hour)
  expect(first.log.oldestAt()).toBe(noon)
  // The next session of the same load, also with a server that was restored to before its first one.
  first.log.noteFormerRun(first.log.bootId, () => noon + 2 * hour)
  first.log.noteFormerRun(null, () => noon + 2 * hour)
  await first.send(['two'], noon + 2 * hour)
  expect(first.log.oldestAt()).toBe(noon)

  const second = await load()
  second.log.noteFormerRun(first.log.bootId, () => noon + 3 * hour)
  const third = await load()
  third.log.noteFormerRun(null, () => noon + 4 * hour)
  await third.send(['three'], noon + 5 * hour)
  expect(third.log.oldestAt()).toBe(noon)

  third.log.noteFormerRun(other, () => noon + 6 * hour)
  expect(third.log.oldestAt()).toBeNull()
  await third.send(['four'], noon + 7 * hour)
  expect([third.log.oldestAt(), third.log.isPartial()]).toEqual([noon + 6 * hour, true])
})

it('keeps what was sent for ninety days, and nothing of another device', async () => {
  const page = await load()
  await page.send(['old'], noon)
  const later = await load()
  await later.send(['new'], noon + 91 * day)
  await expect
    .poll(async () => {
      const next = await load()
      await next.resend(0)
      const found = next.unsent()
      await next.send([], noon + 91 * day)
      return found
    })
    .toEqual(['new'])
  const elsewhere = await load(other)
  await elsewhere.resend(0)
  expect(elsewhere.unsent()).toEqual([])
  expect(elsewhere.log.oldestAt()).toBeNull()
})

it('is whole only from now on when the disk has not taken what was sent', async () => {
  const page = await load()
  page.log.noteFormerRun(null, () => noon)
  await page.send(['one'], noon + hour)
  expect(page.log.oldestAt()).toBe(noon)
  const put = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put')
  if (!put) throw new Error('no put')
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  try {
    await page.send(['two'], noon + 2 * hour)
    expect(page.log.oldestAt()).toBeNull()
  } finally {
    Object.defineProperty(IDBObjectStore.prototype, 'put', put)
  }
  expect(page.unsent()).toEqual([])
})
