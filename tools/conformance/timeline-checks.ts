import type { PlayEvent } from '@floorcast/contract/events.ts'
import { cueAt, filesOf } from '@floorcast/playback/cue.ts'
import { eventsOf, must, type PlayerCheck, playsOf, sleep, within } from './player-check.ts'
import {
  DAY,
  delayedDayOf,
  HOURS,
  hoursOf,
  insideLoop,
  LOOP,
  loopOf,
  nextMinute,
  PAST,
  pastOf,
} from './programmes.ts'
import { type ReferenceServer, SONG_SECONDS } from './reference-server.ts'

/** A start that people hear as on time, and the distance of dates that mean the same. */
const [ON_TIME_MS, SAME_MS] = [500, 50]
const SONG_MS = SONG_SECONDS * 1000

/** The fault of a play by the timeline of its publication; null if there is none. */
function whyOffTimeline({ manifests }: ReferenceServer, play: PlayEvent): string | null {
  const manifest = manifests.findLast(each =>
    each.publications.some(({ uid }) => uid === play.publicationUid),
  )
  const [scheduledAt, startedAt, endedAt] = [play.scheduledAt, play.startedAt, play.endedAt].map(at =>
    Date.parse(at),
  ) as [number, number, number]
  if (!manifest) return `${play.trackName} is of no publication`
  const cue = cueAt({ ...manifest, alerts: [] }, scheduledAt + SAME_MS, filesOf(manifest))
  const at = play.scheduledAt.slice(11, 23)
  if (cue.kind !== 'play' || cue.publication.uid !== play.publicationUid)
    return `${play.trackName} is scheduled at ${at}, when nothing of its publication plays`
  if (Math.abs(cue.startsAt - scheduledAt) > SAME_MS || cue.file.sha256 !== play.sha256)
    return `${play.trackName} is scheduled at ${at}, where ${cue.file.name} of ${new Date(cue.startsAt).toISOString().slice(11, 23)} plays`
  if (cue.itemUid !== play.itemUid) return `${play.trackName} at ${at} names another item`
  const lateMs = startedAt - cue.startsAt
  if (Math.abs(lateMs) > ON_TIME_MS && play.result === 'complete')
    return `${play.trackName} of ${at} is complete and began ${lateMs} ms late`
  if (play.result === 'joined' && Math.abs(endedAt - cue.startsAt - SONG_MS) > ON_TIME_MS)
    return `${play.trackName} of ${at} was joined, and ended ${endedAt - cue.startsAt} ms after its start`
  return lateMs < -ON_TIME_MS ? `${play.trackName} of ${at} began ${-lateMs} ms early` : null
}

function mustFollowTimeline(server: ReferenceServer, publicationUid: string): void {
  const playsAll = server.heldAt + SONG_MS
  for (const play of playsOf(server, publicationUid)) {
    if (Date.parse(play.startedAt) < playsAll) continue
    const why = play.result === 'failed' ? null : whyOffTimeline(server, play)
    must(why === null, why ?? '')
  }
}

/** Waits for the middle of a song, so that what comes interrupts it. */
export async function untilInsideSong(server: ReferenceServer): Promise<void> {
  const manifest = server.manifests.at(-1)
  for (let tries = 0; manifest && tries < 100; tries += 1) {
    const cue = cueAt({ ...manifest, alerts: [] }, server.now(), filesOf(manifest))
    const offset = cue.kind === 'play' ? cue.offsetSeconds / SONG_SECONDS : 0
    if (offset > 0.3 && offset < 0.6) return
    await sleep(0.05)
  }
}

const completeOf = (server: ReferenceServer, publicationUid: string) =>
  playsOf(server, publicationUid).filter(({ result }) => result === 'complete')

async function untilComplete(server: ReferenceServer, publicationUid: string, count: number): Promise<void> {
  const isDone = () => completeOf(server, publicationUid).length >= count
  await within(server.patienceSeconds, isDone, `not ${count} complete plays of the publication`)
}

export const loopChecks: PlayerCheck[] = [
  {
    rule: 'Begins where the timeline is, and plays each item when the timeline says',
    async test(server) {
      await untilComplete(server, LOOP, 4)
      mustFollowTimeline(server, LOOP)
    },
  },
  {
    rule: 'Plays an item as often in a row as it says',
    async test(server) {
      const inOrder = () => playsOf(server, LOOP)
      const isFirst = ({ sha256 }: PlayEvent) => sha256 === server.files[0]?.sha256
      // A clock that is corrected by a moment has a player come back to the song before: the same play, not the next one.
      const follows = (next: PlayEvent, play: PlayEvent) =>
        Math.abs(Date.parse(next.scheduledAt) - Date.parse(play.scheduledAt) - SONG_MS) <= SAME_MS
      const isTwice = () =>
        inOrder()
          .filter(isFirst)
          .some(play => inOrder().some(next => isFirst(next) && follows(next, play)))
      await untilComplete(server, LOOP, 3)
      const loopSeconds = server.files.length * SONG_SECONDS
      await within(loopSeconds + SONG_SECONDS, isTwice, 'the first item did not play twice in a row')
    },
  },
  {
    rule: "Dates its events by the server's time",
    async test(server) {
      for (const { kind, at } of server.events) {
        const offMs = server.now() - Date.parse(at)
        must(
          offMs > -1000 && offMs < 120_000,
          `an event '${kind}' of ${at} at ${new Date(server.now()).toISOString()}`,
        )
      }
      return Promise.resolve()
    },
  },
  {
    rule: 'Names in heartbeats the track that sounds, with the moment at which it began',
    async test(server) {
      const starts = new Set(playsOf(server).map(play => Math.round(Date.parse(play.startedAt) / 200)))
      const ended = playsOf(server).at(-1)?.endedAt ?? ''
      const named = server.heartbeats
        .flatMap(({ nowPlaying }) => nowPlaying ?? [])
        .filter(({ startedAt }) => startedAt < ended)
      must(named.length > 0, 'no heartbeat names a track')
      for (const { name, startedAt } of named) {
        const near = Math.round(Date.parse(startedAt) / 200)
        must(
          [near - 1, near, near + 1].some(each => starts.has(each)),
          `${name} of ${startedAt} is no play of its log`,
        )
      }
      return Promise.resolve()
    },
  },
]

/** When the delayed publication begins. */
const delayedStarts = new WeakMap<ReferenceServer, number>()

export const dayChecks: PlayerCheck[] = [
  {
    rule: 'Plays on with parts that it does not know, and reports them',
    async test(server) {
      const debugs = () => eventsOf(server, 'debug').length
      const [reported, plays] = [debugs(), playsOf(server).length]
      server.sendText(JSON.stringify({ type: 'of-tomorrow', value: 1 }))
      server.sendText('no JSON')
      const startsAt = insideLoop(server, 4)
      delayedStarts.set(server, startsAt)
      await server.publishContent({
        publications: [loopOf(server), delayedDayOf(server, startsAt)],
        unknown: { ofTomorrow: { level: 3 }, update: { kind: 'of tomorrow' } },
      })
      await within(server.patienceSeconds, () => debugs() > reported, 'nothing was reported')
      await within(server.patienceSeconds, () => playsOf(server).length >= plays + 3, 'it plays no more')
      await server.publishContent({ unknown: {} })
    },
  },
  {
    rule: 'Begins a delayed publication at its wall time in the zone of the device',
    async test(server) {
      await untilComplete(server, DAY, 1)
      const [first] = playsOf(server, DAY)
      const lateMs = Date.parse(first?.startedAt ?? '') - (delayedStarts.get(server) ?? 0)
      must(Math.abs(lateMs) < ON_TIME_MS, `it began ${lateMs} ms late`)
    },
  },
  {
    rule: 'Logs a play that a publication interrupts as cut',
    async test(server) {
      const startsAt = delayedStarts.get(server) ?? 0
      const last = () => playsOf(server, LOOP).findLast(play => Date.parse(play.endedAt) > startsAt - SONG_MS)
      await within(server.patienceSeconds, () => last() !== undefined, 'no play ended then')
      const { result, why, endedAt } = last() ?? {}
      must(result === 'cut' && Boolean(why), `it is ${result}, because of ${why}`)
      must(Math.abs(Date.parse(endedAt ?? '') - startsAt) < ON_TIME_MS, `it ended at ${endedAt}`)
    },
  },
  {
    rule: 'Plays the blocks of a smart playlist, with their gaps',
    async test(server) {
      await untilComplete(server, DAY, 3)
      mustFollowTimeline(server, DAY)
    },
  },
]

/** When the shop opens. */
const openings = new WeakMap<ReferenceServer, number>()
const OPENS_WITHIN_SECONDS = 5
const silenceOf = (server: ReferenceServer) => server.heartbeats.at(-1)?.silence?.because

export const hourChecks: PlayerCheck[] = [
  {
    rule: 'Is silent outside the opening hours, and says so',
    async test(server) {
      const opensAt = nextMinute(server, OPENS_WITHIN_SECONDS)
      openings.set(server, opensAt)
      await server.publishContent({ ...hoursOf(server, opensAt), update: null })
      const isClosed = () => silenceOf(server) === 'closed' || server.now() > opensAt
      await within(server.patienceSeconds, isClosed, 'no heartbeat says that the shop is closed')
      must(silenceOf(server) === 'closed', 'no heartbeat said that the shop is closed before it opened')
    },
  },
]

export const openingChecks: PlayerCheck[] = [
  {
    rule: 'Begins its loop at the opening, and not before',
    async test(server) {
      const opensAt = openings.get(server) ?? 0
      await sleep(Math.max(0, opensAt + SONG_MS - server.now()) / 1000)
      await untilComplete(server, HOURS, 2)
      const [first] = playsOf(server, HOURS)
      const lateMs = Date.parse(first?.startedAt ?? '') - opensAt
      must(Math.abs(lateMs) < ON_TIME_MS, `the first play began ${lateMs} ms after the opening`)
      const offMs = Date.parse(first?.scheduledAt ?? '') - opensAt
      must(Math.abs(offMs) < SAME_MS, `the first play is scheduled ${offMs} ms after the opening`)
    },
  },
  {
    rule: 'Plays an item with a start time at its time, once',
    async test(server) {
      await untilComplete(server, HOURS, 3)
      mustFollowTimeline(server, HOURS)
    },
  },
  {
    rule: 'Is silent outside the dates of a playlist, and says so',
    async test(server) {
      await server.publishContent({ publications: [pastOf(server)], tags: {} })
      const isSilent = () => silenceOf(server) === 'outside-dates'
      await within(
        server.patienceSeconds,
        isSilent,
        'no heartbeat says that the playlist is outside its dates',
      )
      await sleep(1)
      must(playsOf(server, PAST).length === 0, 'it plays')
    },
  },
]
