import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import type {
  SourceFile,
  SourceItem,
  SourcePublication,
} from '../../apps/server/src/features/manifests/programme-body.ts'
import { ReferenceServer, SONG_SECONDS } from './reference-server.ts'

/*
 * The programmes of the reference server: each rule of a player's timeline is heard within seconds. The uids tell which play is
 * of which.
 */

export const LOOP = uidOf(600)
export const DAY = uidOf(601)
export const HOURS = uidOf(602)
export const PAST = uidOf(603)

const [SECOND, MINUTE, DAY_MS] = [1000, 60_000, 86_400_000]
const iso = (at: number) => new Date(at).toISOString()
const timeOf = (wall: number) => iso(wall).slice(11, 16)

const itemOf = (file: SourceFile, position: number, part: Partial<SourceItem> = {}): SourceItem => ({
  ...file,
  uid: uidOf(1000 + position),
  position,
  repeatCount: 1,
  replaySeconds: null,
  startTime: null,
  ...part,
})

function makePublication(
  uid: string,
  part: Partial<Omit<SourcePublication, 'playlist'>> & { playlist?: object },
): SourcePublication {
  const playlist = {
    uid: uidOf(500),
    name: 'Songs',
    kind: 'audio' as const,
    crossfadeSeconds: 0,
    startDate: null,
    endDate: null,
    ...part.playlist,
  }
  const head = { uid, name: 'Conformance', revision: 1, startsAt: null, startsAtWall: null, day: null }
  return { ...head, activatedAt: '', items: [], ...part, playlist }
}

/** All songs but the last, which is the sound of alerts. The first one plays twice. */
function songsOf({ files }: ReferenceServer): SourceItem[] {
  return files
    .slice(0, -1)
    .map((file, position) => itemOf(file, position, { repeatCount: position === 0 ? 2 : 1 }))
}

const LOOP_PHASE_MS = 700
const loopOrigin = ({ startedAt }: ReferenceServer) =>
  Math.floor(startedAt / (SONG_SECONDS * SECOND)) * SONG_SECONDS * SECOND - 5 * MINUTE - LOOP_PHASE_MS
/** A full second inside a song of the loop, at least some seconds away. */
export const insideLoop = (server: ReferenceServer, seconds: number): number =>
  Math.ceil((server.now() + seconds * SECOND) / (SONG_SECONDS * SECOND)) * SONG_SECONDS * SECOND

/** A loop that began some minutes before the player, inside a song. */
export const loopOf = (server: ReferenceServer): SourcePublication =>
  makePublication(LOOP, { activatedAt: iso(loopOrigin(server)), items: songsOf(server) })

/** A smart playlist that begins at a wall time: two songs with a pause, a pause of two seconds, and songs without one. */
export function delayedDayOf(server: ReferenceServer, startsAt: number): SourcePublication {
  const items = songsOf(server)
  const wall = server.wallOf(startsAt)
  const from = (wall % DAY_MS) / SECOND
  const block = (start: number, tracks: number[], pause: number) => ({
    kind: 'melody' as const,
    startSeconds: start,
    durationSeconds: tracks.length * (SONG_SECONDS + pause),
    tracks,
    starts: tracks.map((_, index) => start + index * (SONG_SECONDS + pause)),
  })
  const many = Array.from({ length: 300 }, (_, index) => index % items.length)
  const second = from + 2 * SONG_SECONDS + 2
  return makePublication(DAY, {
    activatedAt: iso(server.now()),
    startsAtWall: iso(wall).slice(0, 19),
    items,
    day: {
      startDay: '00:00',
      endDay: '23:59',
      blocks: [block(from, [2, 0], 0.4), block(second, many, 0)],
    },
  })
}

/** A server that publishes the loop; the first downloads of its songs fail, each in another way. */
export async function prepareServer(
  options?: ConstructorParameters<typeof ReferenceServer>[0],
): Promise<ReferenceServer> {
  const server = new ReferenceServer(options)
  for (const faults of [['truncate'], ['garble'], ['redirect'], []] as const) server.addSong([...faults])
  await server.publishContent({ publications: [loopOf(server)] })
  await server.start()
  return server
}

/** The next full minute that is at least some seconds away. */
export const nextMinute = (server: ReferenceServer, seconds: number): number =>
  Math.ceil((server.now() + seconds * SECOND) / MINUTE) * MINUTE

/** A loop of a shop that opens at a minute, and a song of this minute. */
export function hoursOf(server: ReferenceServer, opensAt: number) {
  const wall = server.wallOf(opensAt)
  const [first, second, third] = songsOf(server)
  const items = [first, second, third && { ...third, startTime: timeOf(wall) }]
  return {
    tags: { openingTime: timeOf(wall), closingTime: timeOf(wall + 3 * 60 * MINUTE) },
    publications: [
      makePublication(HOURS, {
        activatedAt: iso(opensAt - DAY_MS - SECOND),
        items: items.filter(item => item !== undefined),
      }),
    ],
  }
}

/** A loop whose last day was yesterday. */
export const pastOf = (server: ReferenceServer): SourcePublication =>
  makePublication(PAST, {
    activatedAt: iso(server.now() - 3 * DAY_MS),
    items: songsOf(server),
    playlist: { endDate: iso(server.wallOf(server.now()) - DAY_MS).slice(0, 10) },
  })
