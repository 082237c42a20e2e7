import { eventually } from '@floorcast/testing/eventually.ts'
import { FakeServer, json, problem, startClient } from '@floorcast/testing/device-client-fixture.ts'
import {
  makeManifest,
  makePlaylist,
  makePublication,
  splitManifest,
  uidOf,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'

test('Notices within some seconds are one fetch at a random moment, and a later one does not bring it forward', async () => {
  const server = new FakeServer()
  const { etag } = startClient(server, { random: () => 0.5 })
  await eventually(() => expect(etag()).toBe('"1"'))
  await eventually(() => expect(server.channel).not.toBeNull())
  const before = server.countCalls('/manifest/')
  const startedAt = performance.now()
  for (let count = 0; count < 10; count += 1) server.send({ type: 'manifest', withinSeconds: 2 })
  await eventually(() => expect(server.countCalls('/manifest/')).toBe(before + 1))
  expect(performance.now() - startedAt).toBeGreaterThan(900)
  server.send({ type: 'manifest', withinSeconds: 600 })
  server.send({ type: 'manifest', withinSeconds: 0 })
  await eventually(() => expect(server.countCalls('/manifest/')).toBe(before + 2))
})

test('The manifest that a heartbeat names while it is fetched is fetched once', async () => {
  const server = new FakeServer()
  let heartbeats = 0
  const { etag } = startClient(server, {
    trackHeartbeat: () => end => {
      if (end === 'answered') heartbeats += 1
    },
  })
  await eventually(() => expect(etag()).toBe('"1"'))
  await eventually(() => expect(heartbeats).toBeGreaterThan(0))
  server.send({ type: 'manifest', withinSeconds: 0 })
  await eventually(() => expect(server.countCalls('/manifest/')).toBeGreaterThan(1))
  expect(server.countCalls('/manifest/')).toBe(2)
})

test('A manifest is saved with its programmes; a held one is not fetched again, and other bytes are refused', async () => {
  const server = new FakeServer()
  const whole = makeManifest({ publications: [makePublication(makePlaylist([]))] })
  const sent = splitManifest(whole)
  const [sha256 = ''] = sent.programmes.keys()
  const text = sent.programmes.get(sha256) ?? ''
  server.faults.set('/manifest/', [
    json(sent.manifest, { headers: { etag: '"2"' } }),
    json(sent.manifest, { headers: { etag: '"3"' } }),
    json(sent.manifest, { headers: { etag: '"4"' } }),
  ])
  server.faults.set('/programme/', [new Response(`${text} `), new Response(text)])
  const { etag } = startClient(server)
  await eventually(() => expect(etag()).toBe('"3"'))
  await eventually(() => expect(server.channel).not.toBeNull())
  server.send({ type: 'manifest', withinSeconds: 0 })
  await eventually(() => expect(etag()).toBe('"4"'))
  expect(server.calls.filter(path => path.endsWith(`/programme/${sha256}`))).toHaveLength(2)
})

test('A programme that cannot be fetched costs no second fetch of the others', async () => {
  const server = new FakeServer()
  const whole = makeManifest({
    publications: [
      makePublication(makePlaylist([])),
      makePublication(makePlaylist([], { uid: uidOf(9) }), { uid: uidOf(8) }),
    ],
  })
  const { manifest, programmes } = splitManifest(whole)
  const [first = '', second = ''] = programmes.keys()
  const etagged = () => json(manifest, { headers: { etag: '"2"' } })
  server.faults.set('/manifest/', [etagged(), etagged()])
  server.faults.set(first, [new Response(programmes.get(first))])
  server.faults.set(second, [problem(503, 'busy'), new Response(programmes.get(second))])
  const { etag } = startClient(server)
  await eventually(() => expect(etag()).toBe('"2"'))
  expect([first, second].map(sha256 => server.countCalls(sha256))).toEqual([1, 2])
})
