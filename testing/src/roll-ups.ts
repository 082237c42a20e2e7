import type { PlayEvent } from '@floorcast/contract/events.ts'
import type { ClientScope } from '@floorcast/server/platform/database/client-scope.ts'

/** A sum of plays. */
export interface Sum {
  plays: number
  completePlays: number
  playedMs: number
  firstAt: string
  lastAt: string
}
/** The sums of a track and day, with the devices that played it. */
export type MediaDay = Sum & { devices: string[] }
/** The sum of one play. */
export const firstOf = ({ result, secondsPlayed, startedAt }: PlayEvent): Sum => ({
  plays: 1,
  completePlays: result === 'complete' ? 1 : 0,
  playedMs: Math.floor(secondsPlayed * 1000 + 0.5),
  firstAt: startedAt,
  lastAt: startedAt,
})

export const addSums = (sum: Sum, more: Sum): Sum => ({
  plays: sum.plays + more.plays,
  completePlays: sum.completePlays + more.completePlays,
  playedMs: sum.playedMs + more.playedMs,
  firstAt: more.firstAt < sum.firstAt ? more.firstAt : sum.firstAt,
  lastAt: more.lastAt > sum.lastAt ? more.lastAt : sum.lastAt,
})

/** The roll-up by device, by its key. */
export async function readDays(scope: ClientScope) {
  const rows = await scope.reads.selectFrom('playDays').selectAll().execute()
  return new Map(
    rows.map(row => {
      const { localDay, deviceUid, mediaUid, playlistUid, publicationUid, contentType } = row
      const key = [localDay, deviceUid, mediaUid, playlistUid, publicationUid, contentType].join(' ')
      const { plays, completePlays, playedMs, firstAt, lastAt } = row
      return [key, { plays, completePlays, playedMs, firstAt, lastAt }]
    }),
  )
}

async function readMediaDays(scope: ClientScope) {
  const numbered = await scope.reads.selectFrom('playDevices').selectAll().execute()
  const rows = await scope.reads.selectFrom('playMediaDays').selectAll().execute()
  const mediaDays = new Map<string, MediaDay>()
  for (const { localDay, mediaUid, contentType, deviceBlock, devices: bits, ...sum } of rows) {
    const { plays, completePlays, playedMs, firstAt, lastAt } = sum
    const ofBlock = { plays, completePlays, playedMs, firstAt, lastAt }
    const key = [localDay, mediaUid, contentType].join(' ')
    const former = mediaDays.get(key)
    const players = numbered
      .filter(({ number }) => Math.floor(number / 1024) === deviceBlock && bits[number % 1024] === '1')
      .map(({ deviceUid }) => deviceUid)
    mediaDays.set(key, {
      ...(former ? addSums(former, ofBlock) : ofBlock),
      devices: [...(former?.devices ?? []), ...players].toSorted(),
    })
  }
  return mediaDays
}

/** The roll-ups, each by its key. */
export async function readRollUps(scope: ClientScope) {
  const hours = await scope.reads.selectFrom('playHours').selectAll().execute()
  const groupHours = await scope.reads.selectFrom('playGroupHours').selectAll().execute()
  const keyOf = ({ hour, contentType }: (typeof hours)[number]) => `${hour.slice(0, 13)} ${contentType}`
  return {
    days: await readDays(scope),
    mediaDays: await readMediaDays(scope),
    hours: new Map(hours.map(row => [keyOf(row), row.plays])),
    groupHours: new Map(groupHours.map(row => [`${row.groupUid} ${keyOf(row)}`, row.plays])),
  }
}
