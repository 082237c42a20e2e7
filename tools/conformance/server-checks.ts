import { randomUUID } from 'node:crypto'
import { HeartbeatAnswer } from '@floorcast/contract/device-protocol.ts'
import { FormerManifest, Manifest, Programme } from '@floorcast/contract/manifest.ts'
import { identityChecks } from './identity-checks.ts'
import { must, mustBe, read, type ServerCheck } from './server-check.ts'
import { type Answer, hashOf } from './tested-server.ts'

const boot = randomUUID()
let sequence = 0
const makeEvent = (part: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  bootId: boot,
  sequence: ++sequence,
  at: new Date().toISOString(),
  kind: 'debug',
  level: 'info',
  code: 'conformance-test',
  message: 'An event of the conformance test',
  ...part,
})
const makeHeartbeat = (part: Record<string, unknown> = {}) => ({
  sentAt: new Date().toISOString(),
  bootId: boot,
  programVersion: '1.0.0',
  temperatureCelsius: null,
  memorySizeBytes: null,
  freeMemoryBytes: null,
  ipAddress: null,
  macAddress: null,
  volume: 70,
  nowPlaying: null,
  manifestEtag: null,
  held: [],
  quarantined: [],
  ...part,
})
const MAX_CLOCK_DIFFERENCE_MS = 60_000

const sessionChecks: ServerCheck[] = [
  {
    rule: 'An unknown licence key gets 404 license-unknown',
    test: async ({ server }) =>
      mustBe(await server.openSession({ licenseKey: randomUUID() }), 404, 'license-unknown'),
  },
  {
    rule: 'A licence key opens a session and is bound to the box',
    async test({ server }) {
      const answer = await server.openSession()
      mustBe(answer, 200)
      const { token, playpointid } = answer.json as { token?: unknown; playpointid?: unknown }
      must(
        typeof token === 'string' && typeof playpointid === 'string',
        'no token and playpointid in the answer',
      )
      ;[server.token, server.playPointUid] = [token, playpointid]
      mustBe(await server.openSession({ boxId: randomUUID() }), 403, 'license-bound')
    },
  },
  {
    rule: 'Calls without a token, and with a wrong one, get 401',
    async test({ server }) {
      const path = `/api/v2/iplay/manifest/${server.playPointUid}?protocol=2`
      for (const token of ['', 'wrong', `${server.token}x`]) mustBe(await server.call(path, { token }), 401)
    },
  },
  {
    rule: 'A token opens no other device',
    async test({ server }) {
      const { status } = await server.call(`/api/v2/iplay/manifest/${randomUUID()}?protocol=2`)
      must(status === 403 || status === 404, `${status} instead of 403 or 404`)
    },
  },
]

const contentChecks: ServerCheck[] = [
  {
    rule: 'The manifest has the fields of version 2, an ETag, and 304 for the same state',
    async test({ server, found }) {
      const path = `/api/v2/iplay/manifest/${server.playPointUid}?protocol=2`
      const answer = await server.call(path)
      mustBe(answer, 200)
      const etag = answer.headers.get('etag')
      must(etag !== null, 'no ETag')
      found.manifest = read(Manifest, answer.json, 'manifest')
      found.etag = etag
      must(found.manifest.device.uid === server.playPointUid, 'the manifest of another device')
      mustBe(await server.call(path, { headers: { 'if-none-match': etag } }), 304)
      must((await server.call(path)).bytes.equals(answer.bytes), 'other bytes for the same state')
    },
  },
  {
    rule: 'Without a version the manifest is that of version 1, with its programmes in it',
    async test({ server, found }) {
      const answer = await server.call(`/api/v2/iplay/manifest/${server.playPointUid}`)
      mustBe(answer, 200)
      const { publications } = read(FormerManifest, answer.json, 'manifest')
      const uids = (list: readonly { uid: string }[]) => list.map(({ uid }) => uid).join()
      must(
        uids(publications) === uids(found.manifest?.publications ?? []),
        'other publications than version 2',
      )
    },
  },
  {
    rule: 'A programme has the bytes of its hash, and the files that its plays name',
    async test({ server, found }) {
      const hashes = found.manifest?.publications.map(({ programme }) => programme) ?? []
      found.file = found.manifest?.files[0]
      for (const hash of hashes) {
        const answer = await server.call(`/api/v2/iplay/programme/${hash}`)
        mustBe(answer, 200)
        must(hashOf(answer.bytes) === hash, 'other bytes than its hash says')
        const { playlist, files } = read(Programme, answer.json, 'programme')
        const named =
          playlist.form === 'simple'
            ? playlist.items.map(({ file }) => file)
            : playlist.blocks.flatMap(block => block.files)
        must(
          named.every(file => file < files.length),
          'a play of a file that is not listed',
        )
        found.file ??= files[0]
      }
      return hashes.length === 0 ? 'nothing is published to this device' : undefined
    },
  },
  {
    rule: 'A file has the bytes of its hash, whole and by Range',
    async test({ server, found: { file } }) {
      if (!file) return 'this device has no file'
      const path = `/api/v2/iplay/media/${file.mediaUid}/${file.sha256}`
      const whole = await server.call(path)
      mustBe(whole, 200)
      must(hashOf(whole.bytes) === file.sha256, 'other bytes than its hash says')
      must(whole.bytes.length === file.sizeBytes, 'another size than announced')
      const half = Math.floor(file.sizeBytes / 2)
      const rest = await server.call(path, { headers: { range: `bytes=${half}-` } })
      mustBe(rest, 206)
      must(rest.bytes.equals(whole.bytes.subarray(half)), 'other bytes by Range')
      mustBe(await server.call(path, { headers: { range: `bytes=${file.sizeBytes}-` } }), 416)
      mustBe(await server.call(`/api/v2/iplay/media/${file.mediaUid}/${'0'.repeat(64)}`), 404)
    },
  },
]

const reportChecks: ServerCheck[] = [
  {
    rule: "A heartbeat is answered with the server's time and the manifest's ETag",
    async test({ server, found: { etag } }) {
      const answer = await server.call('/api/v2/heartbeat/send', {
        body: makeHeartbeat({ manifestEtag: etag }),
      })
      mustBe(answer, 200)
      const { serverTime, manifestEtag } = read(HeartbeatAnswer, answer.json, 'answer')
      const difference = Math.abs(Date.parse(serverTime) - Date.now())
      must(
        difference < MAX_CLOCK_DIFFERENCE_MS,
        `its time differs by ${difference / 1000} s from the clock here`,
      )
      must(['', etag].includes(manifestEtag), `the ETag ${manifestEtag} instead of ${etag}`)
    },
  },
  {
    rule: 'A heartbeat with wrong fields gets 422',
    test: async ({ server }) =>
      mustBe(await server.call('/api/v2/heartbeat/send', { body: makeHeartbeat({ volume: 1000 }) }), 422),
  },
  {
    rule: 'An event is stored once however often it comes; a bad one stops no other',
    async test({ server }) {
      const path = `/api/v2/iplay/send/list/${server.playPointUid}`
      const [one, two] = [makeEvent(), makeEvent()]
      const first = await server.call(path, { body: [one] })
      mustBe(first, 200)
      const counts = (answer: Answer) => {
        const { accepted, duplicates, refused } = answer.json as Record<string, unknown>
        return JSON.stringify([accepted, duplicates, Array.isArray(refused) ? refused.length : refused])
      }
      must(counts(first) === '[1,0,0]', `${counts(first)} instead of [1,0,0] for a new event`)
      const mixed = await server.call(path, {
        body: [one, { id: randomUUID(), kind: 'nothing' }, 'garbage', two],
      })
      mustBe(mixed, 200)
      must(
        counts(mixed) === '[1,1,2]',
        `${counts(mixed)} instead of [1,1,2] for a known, two bad and a new event`,
      )
    },
  },
  {
    rule: 'A list that is too long or no list is refused',
    async test({ server }) {
      const path = `/api/v2/iplay/send/list/${server.playPointUid}`
      for (const body of [Array.from({ length: 501 }, () => makeEvent()), { kind: 'debug' }, '[{'] as const) {
        const { status } = await server.call(path, { body })
        must([400, 413, 422].includes(status), `${status} instead of 400, 413 or 422`)
      }
    },
  },
]

const channelChecks: ServerCheck[] = [
  {
    rule: 'The channel answers heartbeats, and ignores what it does not know',
    async test({ server }) {
      const channel = server.openChannel()
      must(await channel.opened, 'the channel does not open')
      channel.send('no JSON')
      channel.send({ type: 'of-tomorrow', value: 1 })
      const heartbeat = makeHeartbeat()
      channel.send({ type: 'heartbeat', heartbeat })
      const answer = await channel.next('heartbeat-answer')
      channel.close()
      must(answer !== undefined, 'no answer to a heartbeat')
      must(answer['sentAt'] === heartbeat.sentAt, 'sentAt is not that of the heartbeat')
      read(HeartbeatAnswer, answer['answer'], 'answer')
    },
  },
  {
    rule: 'The channel refuses a wrong token',
    async test({ server }) {
      const channel = server.openChannel('wrong')
      must(!(await channel.opened), 'the channel opens')
    },
  },
  {
    rule: 'A newer session replaces the former one: its channel is told, its token refused, and it does not come back',
    async test({ server }) {
      const channel = server.openChannel()
      must(await channel.opened, 'the channel does not open')
      const former = { token: server.token, session: (await server.openSession()).json }
      const newer = await server.openSession({ runId: randomUUID() })
      mustBe(newer, 200)
      const [message, code] = await Promise.all([
        channel.next('replaced'),
        Promise.race([channel.closed, after(10)]),
      ])
      must(message !== undefined || code === 4001, 'neither the message nor the close code 4001')
      channel.close()
      mustBe(await server.call(`/api/v2/iplay/manifest/${server.playPointUid}`, { token: former.token }), 401)
      const { session } = former.session as { session?: string }
      if (session === undefined) return 'a server of a former release: it names no session'
      mustBe(await server.openSession({ formerSession: session }), 409, 'session-replaced')
    },
  },
]

const after = (seconds: number) =>
  new Promise<null>(resolve => setTimeout(() => resolve(null), seconds * 1000))

/** The rules in the order in which they are tested: each needs those before it. */
export const serverChecks: readonly ServerCheck[] = [
  ...sessionChecks,
  ...contentChecks,
  ...identityChecks,
  ...reportChecks,
  ...channelChecks,
]
