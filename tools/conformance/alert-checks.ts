import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { eventsOf, must, type PlayerCheck, playsOf, sleep, within } from './player-check.ts'
import type { ReferenceServer } from './reference-server.ts'
import { untilInsideSong } from './timeline-checks.ts'

const [FIRST, SECOND] = [uidOf(7), uidOf(70)]
const ALERT_SECONDS = 5
const message = (alertUid: string, step: 'begin' | 'end', beganAt: string) => ({
  type: 'alert' as const,
  alertUid,
  kind: 'air' as const,
  isDrill: true,
  sound: null,
  step,
  beganAt,
  receiptsWithinSeconds: 0,
})
const stepsOf = ({ receipts }: ReferenceServer, uid: string) =>
  receipts
    .filter(({ alertUid }) => alertUid === uid)
    .map(({ step }) => step)
    .join()
const loggedOf = (server: ReferenceServer, uid: string) =>
  eventsOf(server, 'alert')
    .filter(({ alertUid }) => alertUid === uid)
    .map(({ step }) => step)
    .join()

/** When the first alert began. */
const began = new WeakMap<ReferenceServer, number>()

export const alertChecks: PlayerCheck[] = [
  {
    rule: 'Sounds an alert at once, ends it at once, and says so on the channel and in its log',
    async test(server) {
      await within(server.patienceSeconds, () => playsOf(server).length > 0, 'it plays nothing')
      await untilInsideSong(server)
      const beganAt = new Date(server.now()).toISOString()
      began.set(server, server.now())
      server.send(message(FIRST, 'begin', beganAt))
      const has = (steps: string) => () => stepsOf(server, FIRST) === steps
      await within(ALERT_SECONDS, has('received,started'), 'no receipts received and started')
      server.send(message(FIRST, 'end', beganAt))
      await within(ALERT_SECONDS, has('received,started,ended'), 'no receipt ended')
      const isLogged = () => loggedOf(server, FIRST) === 'received,started,ended'
      await within(server.patienceSeconds, isLogged, 'not in the log')
    },
  },
  {
    rule: 'Logs a play that an alert interrupts as cut',
    async test(server) {
      const at = began.get(server) ?? 0
      const endedAfter = (moment: number) =>
        playsOf(server).findLast(play => Date.parse(play.startedAt) < at && Date.parse(play.endedAt) > moment)
      // The play before may have ended just before, and be told of first; clocks differ.
      const interrupted = () => endedAfter(at - 500)
      const isTold = () => interrupted()?.result === 'cut' || endedAfter(at) !== undefined
      await within(server.patienceSeconds, isTold, 'no play ended then')
      const { result, why } = interrupted() ?? {}
      must(result === 'cut' && Boolean(why), `it is ${result}, because of ${why}`)
    },
  },
  {
    rule: 'Sounds an alert of the manifest and of answers, and sounds it once',
    async test(server) {
      const beganAt = new Date(server.now()).toISOString()
      await server.publishContent({ alerts: [{ uid: SECOND, kind: 'air', beganAt, isDrill: true }] })
      const has = (steps: string) => () => stepsOf(server, SECOND) === steps
      await within(server.patienceSeconds, has('received,started'), 'no receipts received and started')
      server.send(message(SECOND, 'begin', beganAt))
      await sleep(0.5)
      must(has('received,started')(), `the channel told of it again: ${stepsOf(server, SECOND)}`)
      await server.publishContent({ alerts: [] })
      await within(
        server.patienceSeconds,
        has('received,started,ended'),
        'a manifest without it does not end it',
      )
    },
  },
]
