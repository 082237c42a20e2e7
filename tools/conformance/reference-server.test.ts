import { Manifest, Programme } from '@floorcast/contract/manifest.ts'
import { refuseUnknownFields } from '@floorcast/contract/unknown-fields.ts'
import { hashOf } from '@floorcast/testing/device-server.ts'
import { expect, onTestFinished, test } from 'vitest'
import { loopOf } from './programmes.ts'
import { ReferenceServer } from './reference-server.ts'

test('the reference server sends what the product sends: a player that reads `path` of a programme gets nothing', async () => {
  const server = new ReferenceServer()
  for (let song = 0; song < 3; song += 1) server.addSong()
  await server.publishContent({ publications: [loopOf(server)] })
  await server.start()
  onTestFinished(() => server.stop())
  const opened = await fetch(`${server.url}/api/v2/device/session`, {
    method: 'POST',
    body: JSON.stringify({ boxId: 'box', runId: 'run' }),
  })
  const { data: session } = (await opened.json()) as { data: { token: string } }
  const read = async (path: string) => {
    const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${session.token}` } })
    return Buffer.from(await answer.arrayBuffer())
  }
  const { data } = JSON.parse(
    String(await read(`/api/v2/iplay/manifest/${server.playPoint}?protocol=2`)),
  ) as { data: unknown }
  const manifest = refuseUnknownFields(Manifest).parse(data)
  expect(manifest.device.uid).toBe(server.playPoint)
  expect(manifest.files.map(({ name }) => name)).toEqual(['Conformance song 3'])
  expect(manifest.alertSounds).toEqual({ air: 0 })
  const hash = manifest.publications[0]?.programme ?? ''
  const bytes = await read(`/api/v2/iplay/programme/${hash}`)
  expect(hashOf(bytes)).toBe(hash)
  const { files } = refuseUnknownFields(Programme).parse(JSON.parse(String(bytes)))
  expect(files.map(({ name }) => name)).toEqual(['Conformance song 1', 'Conformance song 2'])
  const paths = [
    ...files.map(({ mediaUid, sha256 }) => ({ sha256, path: `/api/v2/iplay/media/${mediaUid}/${sha256}` })),
    ...manifest.files,
  ]
  for (const { path, sha256 } of paths) expect(hashOf(await read(path))).toBe(sha256)
  expect(server.wrongPaths).toEqual([])
  const wrong = `/api/v2/iplay/media/${server.playPoint}/${files[0]?.sha256}`
  await read(wrong)
  expect(server.wrongPaths).toEqual([wrong])
})
