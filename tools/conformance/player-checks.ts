import { Heartbeat, openDeviceSession } from '@floorcast/contract/device-protocol.ts'
import { DeviceEvent, type PlayEvent } from '@floorcast/contract/events.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { type ReferenceServer, SONG_SECONDS } from './reference-server.ts'

/** A rule of docs/device-protocol.md for players. `test` throws what is wrong. */
export interface PlayerCheck {
  rule: string
  test: (server: ReferenceServer) => Promise<void>
}

/** Players start slowly, and wait before they try again. */
const PATIENCE_SECONDS = 60
const sleep = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

function must(isTrue: boolean, wrong: string): asserts isTrue {
  if (!isTrue) throw new Error(wrong)
}
async function within(seconds: number, isTrue: () => boolean, wrong: string): Promise<void> {
  const until = Date.now() + seconds * 1000
  while (!isTrue() && Date.now() < until) await sleep(0.05)
  must(isTrue(), `${wrong} (within ${seconds} s)`)
}

const playsOf = ({ events }: ReferenceServer): PlayEvent[] =>
  events.filter(event => event.kind === 'playtrack')
const debugsOf = ({ events }: ReferenceServer) => events.filter(({ kind }) => kind === 'debug')

const startChecks: PlayerCheck[] = [
  {
    rule: 'Opens a session with its key, box, start, model and version',
    async test(server) {
      await within(PATIENCE_SECONDS, () => server.sessions > 0, 'no session')
      const { error } = openDeviceSession.body.safeParse(server.sessionCalls[0])
      must(!error, `the call: ${error?.issues[0]?.path.join('.')} ${error?.issues[0]?.message}`)
      const { runId } = server.sessionCalls[0] as { runId?: string }
      must(runId !== undefined, 'the call has no runId')
    },
  },
  {
    rule: 'Asks for the manifest of version 2, and for its programme once',
    async test(server) {
      await within(PATIENCE_SECONDS, () => server.programmesRead.length > 0, 'no programme was fetched')
      must(server.manifestCalls[0]?.startsWith('protocol=2') ?? false, `asked for ${server.manifestCalls[0]}`)
    },
  },
  {
    rule: 'Resumes a broken download, fetches a damaged one again, and reports that nothing is missing',
    async test(server) {
      const isHeld = () => server.heartbeats.at(-1)?.held.some(({ missing }) => missing === 0) ?? false
      const isReported = () =>
        isHeld() || (server.heldReports.at(-1)?.some(({ missing }) => missing === 0) ?? false)
      await within(2 * PATIENCE_SECONDS, isReported, 'not all files were held')
      must(
        server.ranges.some(range => /^bytes=[1-9]\d*-$/.test(range ?? '')),
        'a broken download began at its start',
      )
      must(server.wrongPaths.length === 0, `no file has the address ${server.wrongPaths[0]}`)
    },
  },
  {
    rule: 'Sends heartbeats at the interval of its settings, with all fields',
    async test(server) {
      await within(PATIENCE_SECONDS, () => server.heartbeats.length >= 3, 'not three heartbeats')
      for (const heartbeat of server.heartbeats) {
        const [issue] = Heartbeat.safeParse(heartbeat).error?.issues ?? []
        must(!issue, `a heartbeat: ${issue?.path.join('.')} ${issue?.message}`)
      }
    },
  },
]

const eventChecks: PlayerCheck[] = [
  {
    rule: 'Logs each play when it has ended, with the seconds that were heard',
    async test(server) {
      const isWhole = ({ result }: PlayEvent) => result === 'complete'
      await within(
        PATIENCE_SECONDS,
        () => playsOf(server).filter(isWhole).length >= 3,
        'not three complete plays',
      )
      for (const play of playsOf(server).filter(isWhole)) {
        must(
          Math.abs(play.secondsPlayed - SONG_SECONDS) < 1,
          `${play.secondsPlayed} s of a song of ${SONG_SECONDS} s`,
        )
        must(Date.parse(play.endedAt) <= Date.now() + 1000, 'a play that has not ended')
      }
    },
  },
  {
    rule: 'Sends events again whose answer was lost, and each with the same id',
    async test(server) {
      server.lostAnswers = 1
      await within(
        PATIENCE_SECONDS,
        () => server.duplicates.length > 0,
        'the events of a lost answer did not come again',
      )
    },
  },
  {
    rule: 'Numbers the events of a start from 1, without holes',
    async test(server) {
      for (const event of server.events) {
        const [issue] = DeviceEvent.safeParse(event).error?.issues ?? []
        must(!issue, `an event '${event.kind}': ${issue?.path.join('.')} ${issue?.message}`)
      }
      const numbers = server.events.map(({ sequence }) => sequence).toSorted((a, b) => a - b)
      const hole = numbers.findIndex((number, index) => number !== index + 1)
      must(hole < 0, `${numbers[hole]} instead of ${hole + 1}`)
    },
  },
  {
    rule: 'Plays on with parts that it does not know, and reports them',
    async test(server) {
      const [reported, plays] = [debugsOf(server).length, playsOf(server).length]
      server.sendText(JSON.stringify({ type: 'of-tomorrow', value: 1 }))
      server.sendText('no JSON')
      await server.publishSongs({ ofTomorrow: { level: 3 }, update: { kind: 'of tomorrow' } })
      await within(PATIENCE_SECONDS, () => debugsOf(server).length > reported, 'nothing was reported')
      await within(PATIENCE_SECONDS, () => playsOf(server).length >= plays + 3, 'it plays no more')
    },
  },
]

const alert = { type: 'alert' as const, alertUid: uidOf(7), kind: 'air' as const, isDrill: true, sound: null }
const stepsOf = (server: ReferenceServer) => server.receipts.map(({ step }) => step).join()
const ALERT_SECONDS = 5

const channelChecks: PlayerCheck[] = [
  {
    rule: 'Sounds an alert at once, ends it at once, and says so on the channel and in its log',
    async test(server) {
      const beganAt = new Date().toISOString()
      server.send({ ...alert, step: 'begin', beganAt, receiptsWithinSeconds: 0 })
      await within(
        ALERT_SECONDS,
        () => stepsOf(server) === 'received,started',
        'no receipts received and started',
      )
      server.send({ ...alert, step: 'end', beganAt, receiptsWithinSeconds: 0 })
      await within(ALERT_SECONDS, () => stepsOf(server) === 'received,started,ended', 'no receipt ended')
      const logged = () => server.events.flatMap(event => (event.kind === 'alert' ? event.step : [])).join()
      await within(PATIENCE_SECONDS, () => logged() === 'received,started,ended', 'not in the log')
    },
  },
  {
    rule: 'Acknowledges a command that it does not know, with why it does not follow it',
    async test(server) {
      const id = uidOf(8)
      server.sendText(JSON.stringify({ type: 'command', id, command: 'of-tomorrow' }))
      const ack = () => server.acks.find(each => each.id === id)
      await within(ALERT_SECONDS, () => ack() !== undefined, 'no acknowledgement')
      must(ack()?.ok === false, 'it says that it has followed it')
      must(Boolean(ack()?.why), 'it does not say why')
    },
  },
  {
    rule: 'Opens one session when its token is refused, and reports on',
    async test(server) {
      const [sessions, plays] = [server.sessions, playsOf(server).length]
      server.token = 'of nobody'
      await within(PATIENCE_SECONDS, () => server.sessions > sessions, 'no new session')
      await within(PATIENCE_SECONDS, () => playsOf(server).length > plays, 'it reports no more')
      must(server.sessions === sessions + 1, `${server.sessions - sessions} sessions`)
    },
  },
  {
    rule: 'Stops reporting when it is replaced, and opens no session',
    async test(server) {
      await within(PATIENCE_SECONDS, () => server.channels > 0, 'no channel')
      server.send({ type: 'replaced' })
      await sleep(2)
      const before = [server.sessions, server.events.length, server.heartbeats.length].join()
      await sleep(3 * SONG_SECONDS)
      const after = [server.sessions, server.events.length, server.heartbeats.length].join()
      must(before === after, `sessions, events and heartbeats went from ${before} to ${after}`)
    },
  },
]

/** The rules in the order in which they are tested. */
export const playerChecks: readonly PlayerCheck[] = [...startChecks, ...eventChecks, ...channelChecks]
