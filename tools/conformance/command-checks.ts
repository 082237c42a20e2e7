import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { eventsOf, must, type PlayerCheck, within } from './player-check.ts'
import type { ReferenceServer } from './reference-server.ts'

const ACK_SECONDS = 10
const UPDATE = uidOf(90)
const RETRY_AFTER_SECONDS = 2

/** Sends a command and waits for its acknowledgement. */
async function follow(server: ReferenceServer, number: number, command: { command: string; value?: number }) {
  const id = uidOf(number)
  server.sendText(JSON.stringify({ type: 'command', id, ...command }))
  const find = () => server.acks.find(each => each.id === id)
  await within(ACK_SECONDS, () => find() !== undefined, `${command.command}: no acknowledgement`)
  return { id, ok: find()?.ok, why: find()?.why }
}

export const updateRule =
  'Refuses an update without a valid signature before it downloads it, and reports this'

export const commandChecks: PlayerCheck[] = [
  {
    rule: 'Acknowledges a command that it does not know, with why it does not follow it',
    async test(server) {
      const { ok, why } = await follow(server, 8, { command: 'of-tomorrow' })
      must(ok === false, 'it says that it has followed it')
      must(Boolean(why), 'it does not say why')
    },
  },
  {
    rule: 'Follows the command `volume`, and says its volume in heartbeats',
    async test(server) {
      const { ok, why } = await follow(server, 80, { command: 'volume', value: 35 })
      must(ok === true, `it is not followed: ${why}`)
      const isSet = () => server.heartbeats.at(-1)?.volume === 35
      await within(server.patienceSeconds, isSet, 'no heartbeat has this volume')
    },
  },
  {
    rule: 'Follows `send-log`, and `identify` also in silence, or says why not',
    async test(server) {
      const log = await follow(server, 81, { command: 'send-log' })
      const file = server.commandFiles.get(log.id)
      must(
        log.ok === true ? file?.contentType === 'text/plain' : log.why === 'browser',
        'no log came before the acknowledgement',
      )
      const identify = await follow(server, 82, { command: 'identify' })
      must(identify.ok === true || identify.why === 'no-sound', `identify is refused: ${identify.why}`)
    },
  },
  {
    rule: 'Waits as long as Retry-After says',
    async test(server) {
      const path = '/api/v2/iplay/manifest/'
      const from = Date.now()
      const callsOf = () => server.calls.filter(call => call.at >= from && call.path.startsWith(path))
      server.retryAfterSeconds = RETRY_AFTER_SECONDS
      server.busyPaths.add(path)
      await server.publishContent({
        update: {
          packageUid: UPDATE,
          name: 'Of a stranger',
          category: 'player',
          version: '999.0.0',
          channelName: 'stable',
          isForced: true,
          files: [
            {
              uid: uidOf(91),
              name: 'player.bin',
              sha256: 'ab'.repeat(32),
              sizeBytes: 1000,
              signature: Buffer.alloc(64, 1).toString('base64'),
              path: `/api/v2/iplay/update/${UPDATE}/${'ab'.repeat(32)}`,
            },
          ],
        },
      })
      await within(server.patienceSeconds, () => callsOf().length > 0, 'it does not ask for the manifest')
      server.busyPaths.clear()
      await within(server.patienceSeconds, () => callsOf().length > 1, 'it does not ask again')
      const [first, second] = callsOf()
      const waited = (second?.at ?? 0) - (first?.at ?? 0)
      must(waited >= RETRY_AFTER_SECONDS * 1000 - 50, `it came again after ${waited} ms`)
    },
  },
  {
    rule: updateRule,
    async test(server) {
      const steps = () =>
        eventsOf(server, 'update')
          .filter(({ packageUid }) => packageUid === UPDATE)
          .map(({ step }) => step)
      await within(server.patienceSeconds, () => steps().includes('refused'), 'no event `refused`')
      must(!server.calls.some(({ path }) => path.includes('/iplay/update/')), 'it has asked for the file')
      await server.publishContent({ update: null })
    },
  },
]
