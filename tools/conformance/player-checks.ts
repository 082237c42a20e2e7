import { Heartbeat, openDeviceSession } from '@floorcast/contract/device-protocol.ts'
import { DeviceEvent, type PlayEvent } from '@floorcast/contract/events.ts'
import { alertChecks } from './alert-checks.ts'
import { commandChecks, updateRule } from './command-checks.ts'
import { must, type PlayerCheck, playsOf, sleep, within } from './player-check.ts'
import { loopOf } from './programmes.ts'
import { type ReferenceServer, SONG_SECONDS } from './reference-server.ts'
import { runChecks } from './run-checks.ts'
import { dayChecks, hourChecks, loopChecks, openingChecks } from './timeline-checks.ts'

const opensSession: PlayerCheck = {
  rule: 'Opens a session with its key, box, start, model and version',
  async test(server) {
    await within(server.patienceSeconds, () => server.sessions > 0, 'no session')
    const { error } = openDeviceSession.body.safeParse(server.sessionCalls[0])
    must(!error, `the call: ${error?.issues[0]?.path.join('.')} ${error?.issues[0]?.message}`)
    const { runId } = server.sessionCalls[0] as { runId?: string }
    must(runId !== undefined, 'the call has no runId')
  },
}

const holdsFiles: PlayerCheck = {
  rule: 'Resumes a broken download, fetches a damaged one again, and reports that nothing is missing',
  async test(server) {
    const isHeld = () => server.heartbeats.at(-1)?.held.some(({ missing }) => missing === 0) ?? false
    const isReported = () =>
      isHeld() || (server.heldReports.at(-1)?.some(({ missing }) => missing === 0) ?? false)
    await within(2 * server.patienceSeconds, isReported, 'not all files were held')
    server.heldAt = server.now()
    must(
      server.ranges.some(range => /^bytes=[1-9]\d*-$/.test(range ?? '')),
      'a broken download began at its start',
    )
    must(server.wrongPaths.length === 0, `no file has the address ${server.wrongPaths[0]}`)
  },
}

export const startChecks: PlayerCheck[] = [
  opensSession,
  {
    rule: 'Asks for the manifest of version 2, and for its programme once',
    async test(server) {
      await within(server.patienceSeconds, () => server.programmesRead.length > 0, 'no programme was fetched')
      must(server.manifestCalls[0]?.startsWith('protocol=2') ?? false, `asked for ${server.manifestCalls[0]}`)
    },
  },
  holdsFiles,
  {
    rule: 'Follows no redirect with its token',
    async test(server) {
      must(server.redirects > 0, 'it has not asked for the file that is redirected')
      must(!server.stolen.some(token => token !== ''), 'another server got its token')
    },
  },
  {
    rule: 'Sends heartbeats at the interval of its settings, with all fields',
    async test(server) {
      await within(server.patienceSeconds, () => server.heartbeats.length >= 3, 'not three heartbeats')
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
        server.patienceSeconds,
        () => playsOf(server).filter(isWhole).length >= 3,
        'not three complete plays',
      )
      for (const play of playsOf(server).filter(isWhole)) {
        must(
          Math.abs(play.secondsPlayed - SONG_SECONDS) < 1,
          `${play.secondsPlayed} s of a song of ${SONG_SECONDS} s`,
        )
        must(Date.parse(play.endedAt) <= server.now() + 1000, 'a play that has not ended')
      }
    },
  },
  {
    rule: 'Sends events again whose answer was lost, and each with the same id',
    async test(server) {
      server.lostAnswers = 1
      await within(
        server.patienceSeconds,
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
]

const endChecks: PlayerCheck[] = [
  {
    rule: 'Opens one session when its token is refused, and reports on',
    async test(server) {
      await server.publishContent({ publications: [loopOf(server)] })
      const [sessions, plays] = [server.sessions, playsOf(server).length]
      server.token = 'of nobody'
      await within(server.patienceSeconds, () => server.sessions > sessions, 'no new session')
      await within(server.patienceSeconds, () => playsOf(server).length > plays, 'it reports no more')
      must(server.sessions === sessions + 1, `${server.sessions - sessions} sessions`)
    },
  },
  {
    rule: 'Stops reporting when it is replaced, and opens no session',
    async test(server) {
      await within(server.patienceSeconds, () => server.channels > 0, 'no channel')
      server.send({ type: 'replaced' })
      await sleep(2)
      const before = [server.sessions, server.events.length, server.heartbeats.length].join()
      await sleep(2 * SONG_SECONDS)
      const after = [server.sessions, server.events.length, server.heartbeats.length].join()
      must(before === after, `sessions, events and heartbeats went from ${before} to ${after}`)
    },
  },
]

/** The rules in the order in which they are tested: one session of the player serves all. */
export const playerChecks: readonly PlayerCheck[] = [
  ...startChecks,
  ...eventChecks,
  ...loopChecks,
  ...dayChecks,
  ...alertChecks,
  ...hourChecks,
  ...commandChecks,
  ...openingChecks,
  ...endChecks,
]

const begin = [opensSession, holdsFiles]
/** The same rules in groups that do not need each other: each for a player of its own. */
export const playerGroups = {
  events: [...startChecks, ...eventChecks],
  loop: [...begin, ...loopChecks],
  day: [...begin, ...dayChecks],
  alerts: [...begin, ...alertChecks],
  hours: [...begin, ...hourChecks, ...openingChecks],
  commands: [...begin, ...commandChecks],
  end: [...begin, ...endChecks],
}

/** @returns the rules that the player of a server does not keep, with why; `hasProgram`: updates can replace its program */
export async function findBroken(
  checks: readonly PlayerCheck[],
  { server, hasProgram }: { server: ReferenceServer; hasProgram: boolean },
): Promise<string[]> {
  const lines: string[] = []
  const tested = checks.filter(({ rule }) => hasProgram || rule !== updateRule)
  await runChecks(tested, { subject: server, untested: [], print: line => lines.push(line) })
  return lines.filter(line => line.startsWith('FAILED')).map(line => line.replace(/^FAILED +/, ''))
}
