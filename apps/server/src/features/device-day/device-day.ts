import type { DeviceDay, PlayedSpan, ScheduledSpan } from '@floorcast/contract/device-day.ts'
import { DAY, parseDay } from '@floorcast/playback/instant.ts'
import { dayAt, instantOfWall } from '@floorcast/playback/zone.ts'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import { readPlays } from '../archive/archive.ts'
import { readProgram } from '../manifests/manifests.ts'
import { findRestoredPlays } from '../redeliveries/redeliveries.ts'
import { findGaps } from './day-gaps.ts'
import { type DayBounds, DayMinutes, runsOf } from './day-minutes.ts'
import { scheduleDay, soundOfMinute } from './day-schedule.ts'
import {
  findDayConnectivity,
  findDayDevice,
  findDayPlays,
  findDaySilences,
  findDayUnreported,
  sumHealth,
  type DayDevice,
  type DayPlay,
} from './device-day-queries.ts'

const DAY_MS = 86_400_000
const QUARTER_MS = 900_000
/** The quarters by which the history of heartbeats is kept: those of UTC, which are those of every zone. */
const quarterOf = (at: number) => new Date(Math.floor(at / QUARTER_MS) * QUARTER_MS)
const iso = (at: number) => new Date(at).toISOString()

/** A device's day, by its own time zone. @throws ProblemError 404 */
export async function readDeviceDay(
  context: Pick<Context, 'database' | 'files' | 'log'>,
  ctx: RequestContext,
  { uid, day: asked }: { uid: string; day: string | undefined },
): Promise<DeviceDay> {
  const { now, scope } = ctx
  const read = await readPlays(context, scope, async reads => {
    const device = orNotFound(await findDayDevice(reads, uid, now))
    const manifest = orNotFound(await readProgram(reads, uid))
    const { timeZone } = manifest.device
    const number = asked === undefined ? dayAt(timeZone, now.getTime()) : parseDay(asked)
    const bounds = {
      from: instantOfWall(timeZone, number * DAY),
      until: instantOfWall(timeZone, (number + 1) * DAY),
    }
    const end = new Date(Math.max(bounds.from, Math.min(bounds.until, now.getTime())))
    const period = { deviceUid: uid, from: new Date(bounds.from), until: end }
    const { lastContactAt } = device
    return {
      device,
      manifest,
      bounds,
      day: iso(number * DAY).slice(0, 10),
      plays: await findDayPlays(reads, period),
      silences: await findDaySilences(reads, period),
      unreported: await findDayUnreported(reads, period),
      connectivity: await findDayConnectivity(reads, { ...period, lastContactAt }),
      health: await sumHealth(reads, {
        deviceUid: uid,
        from: quarterOf(end.getTime() - DAY_MS),
        // The end of a day that is over begins a quarter of the next one.
        until: new Date(Math.min(end.getTime(), bounds.until - 1)),
      }),
      restored: await findRestoredPlays(reads, { ...period, device: uid, zone: timeZone }, now),
    }
  })
  // Outside the transaction: a day of short tracks takes some 100 ms.
  const schedule = await scheduleDay(read.manifest, read.bounds, Date.parse(read.device.createdAt))
  const played = playedOf(read, now.getTime())
  const { bounds, connectivity, silences, unreported, health, device, restored } = read
  const lastContactAt = device.lastContactAt === null ? null : Date.parse(device.lastContactAt)
  const sources = { silences, unreported, connectivity, lastContactAt, now: now.getTime() }
  return {
    asOf: now.toISOString(),
    day: read.day,
    timeZone: read.manifest.device.timeZone,
    from: iso(bounds.from),
    until: iso(bounds.until),
    scheduled: spansOf(bounds, minute => schedule.minutes[minute] ?? null),
    played: played.spans,
    gaps: findGaps(bounds, { ...sources, scheduled: schedule.sounding, played: played.seconds }),
    connectivity,
    unreported,
    health,
    restored,
  }
}

function spansOf(
  day: DayBounds,
  valueOf: (minute: number) => Omit<ScheduledSpan, 'from' | 'until'> | null,
): ScheduledSpan[] {
  const key = ({ kind, adShare, because }: Omit<ScheduledSpan, 'from' | 'until'>) =>
    `${kind} ${adShare} ${because}`
  return runsOf(day, valueOf, key).map(({ from, until, value }) => ({
    from: iso(from),
    until: iso(until),
    ...value,
  }))
}

interface Played {
  spans: PlayedSpan[]
  seconds: Float64Array
}

/** The plays of the log, and the track that plays now, by minute. */
function playedOf(
  { bounds, plays, device }: { bounds: DayBounds; plays: readonly DayPlay[]; device: DayDevice },
  now: number,
): Played {
  const [music, ads, all] = [new DayMinutes(bounds), new DayMinutes(bounds), new DayMinutes(bounds)]
  const add = (from: number, until: number, isAd: boolean) => {
    const kind = isAd ? ads : music
    kind.add(from, until)
    all.add(from, until)
  }
  for (const { startedAt, endedAt, isAd } of plays) add(Date.parse(startedAt), Date.parse(endedAt), isAd)
  const { activity, nowPlaying } = device
  if (activity === 'playing' && nowPlaying) {
    const { startedAt, contentType } = nowPlaying
    add(Date.parse(startedAt), now, contentType === 'ads' || contentType === 'videosAds')
  }
  const soundAt = (minute: number) => soundOfMinute(music.seconds[minute] ?? 0, ads.seconds[minute] ?? 0)
  const spans = runsOf(bounds, soundAt, ({ kind, adShare }) => `${kind} ${adShare}`).map(
    ({ from, until, value }) => ({ from: iso(from), until: iso(until), ...value }),
  )
  return { spans, seconds: all.seconds }
}
