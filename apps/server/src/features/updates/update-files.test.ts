import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { buildPath } from '@floorcast/contract/client.ts'
import { readLimits } from '@floorcast/contract/dashboard.ts'
import { readDeviceUpdate } from '@floorcast/contract/device-protocol.ts'
import { deleteMedia } from '@floorcast/contract/media.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { purge } from '@floorcast/contract/recycle-bin.ts'
import * as files from '@floorcast/contract/update-files.ts'
import * as packages from '@floorcast/contract/update-packages.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newUpdateShop, type UpdateShop } from '@floorcast/testing/test-updates.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerUpdates } from './updates-routes.ts'
import { registerRecycleBin } from '../recycle-bin/recycle-bin-routes.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [
      registerGroups,
      registerLibrary,
      registerUpdates,
      registerRecycleBin,
      registerDashboard,
      registerDeviceHost,
    ],
  })
})

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const errorsOf = (answer: { json: <T>() => T }) => answer.json<Problem>().errors
const storedFiles = () => uploader(server).storedFiles()
const filesOf = async ({ token }: UpdateShop, query = {}) =>
  (await server.call(files.listUpdateFiles, { token, query })).items

it('an update file is uploaded into a draft, hashed, listed and delivered to the devices that it is offered to', async () => {
  const shop = await newUpdateShop(server)
  const bytes = Buffer.from('a player of '.repeat(50_000))
  const uid = await shop.addPackage()
  const uploaded = await shop.upload(uid, {
    bytes,
    name: 'player 3.tar.gz',
    description: 'For all players',
  })
  expect(uploaded.code).toBe(200)
  const [file] = (await server.call(packages.listPackageFiles, { token: shop.token, params: { id: uid } }))
    .items
  expect(file).toMatchObject({
    uid: uploaded.uid,
    linkUid: uploaded.linkUid,
    name: 'player 3.tar',
    originalName: 'player 3.tar.gz',
    sizeBytes: bytes.length,
    hash: sha256Of(bytes),
    signature: shop.keys?.signFile(bytes),
    signatureState: 'valid',
  })
  expect((await shop.card(uid)).sizeBytes).toBe(bytes.length)
  const player = await shop.player()
  const params = { uid: file?.uid ?? '', sha256: file?.hash ?? '' }
  const fetchBytes = (headers: object = {}, token = player.token) =>
    server.http.app.inject({
      url: buildPath(readDeviceUpdate.path, params),
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
  expect((await fetchBytes()).statusCode).toBe(404)
  await shop.rotatePackage(uid)
  await shop.rotatePackage(uid)
  await shop.rotateDeployPackage(await shop.deploy(uid, await shop.addChannel()))
  const update = await player.update()
  expect(update?.files).toEqual([
    {
      uid: params.uid,
      name: 'player 3.tar.gz',
      sha256: params.sha256,
      sizeBytes: bytes.length,
      signature: shop.keys?.signFile(bytes) ?? '',
      path: buildPath(readDeviceUpdate.path, params),
    },
  ])
  const whole = await fetchBytes()
  expect([whole.statusCode, whole.headers['etag']]).toEqual([200, `"${params.sha256}"`])
  expect(whole.headers['content-disposition']).toContain('attachment')
  expect(sha256Of(whole.rawPayload)).toBe(params.sha256)
  const rest = await fetchBytes({ range: 'bytes=599990-' })
  expect([rest.statusCode, rest.rawPayload]).toEqual([206, bytes.subarray(599_990)])
  expect((await fetchBytes({ range: 'bytes=600000-' })).statusCode).toBe(416)
  expect((await fetchBytes({ 'if-none-match': `"${params.sha256}"` })).statusCode).toBe(304)
  expect((await fetchBytes({}, shop.token)).statusCode).toBe(401)
  const elsewhere = await newUpdateShop(server)
  const theirs = await openPlayer(server, elsewhere.device.licenseKey)
  expect((await fetchBytes({}, theirs.token)).statusCode).toBe(404)
})

it('an update file is refused when it is empty, has no name, is named as another of the package, or comes twice', async () => {
  const shop = await newUpdateShop(server)
  const uid = await shop.addPackage()
  const before = storedFiles()
  expect(await shop.upload(uid, { bytes: Buffer.alloc(0) })).toEqual({
    code: 901,
    reason: 'file-empty',
    names: ['player.tar'],
  })
  const dots = await shop.request(uid, { bytes: Buffer.from('dots'), name: '...' })
  expect(errorsOf(dots)).toMatchObject([{ path: 'file', message: 'wrong' }])
  expect(errorsOf(await shop.request(uid, { description: 'No file' }))).toMatchObject([
    { path: 'file', message: 'empty' },
  ])
  expect(storedFiles()).toEqual(before)
  await shop.upload(uid, { bytes: Buffer.from('first') })
  const again = await shop.upload(uid, { bytes: Buffer.from('second') })
  expect(again).toEqual({ code: 902, names: ['player.tar'] })
  const json = { payload: {}, headers: { authorization: `Bearer ${shop.token}` } }
  const url = buildPath(packages.uploadUpdateFile.path, { uid })
  expect((await server.http.app.inject({ method: 'POST', url, ...json })).statusCode).toBe(415)
  await shop.rotatePackage(uid)
  const late = await shop.upload(uid, { bytes: Buffer.from('late'), name: 'late.tar' })
  expect(late).toEqual({ code: 400, reason: 'not-a-draft' })
  expect(await filesOf(shop)).toHaveLength(1)
})

it('an update file counts as storage: 903 where the plan has no room, and nothing is left of it', async () => {
  const shop = await newUpdateShop(server)
  const uid = await shop.addPackage()
  const limits = await server.call(readLimits, { token: shop.token })
  const sizeBytes = limits.mediaBytes.limit - 2000
  await shop.scope.write(writes =>
    writes
      .insertInto('updateFiles')
      .values({
        uid: '01933d4e-0000-7000-8000-0000000000aa',
        clientId: shop.scope.clientId,
        name: 'Large',
        originalName: 'large.tar',
        sha256: 'd'.repeat(64),
        sizeBytes,
        createdAt: new Date(),
        changedAt: new Date(),
      })
      .execute(),
  )
  const before = storedFiles()
  const full = await shop.upload(uid, { bytes: Buffer.alloc(3000, 1) })
  expect(full).toEqual({ code: 903, names: ['player.tar'] })
  expect(storedFiles()).toEqual(before)
  expect((await shop.upload(uid, { bytes: Buffer.from('fits') })).code).toBe(200)
  const used = (await server.call(readLimits, { token: shop.token })).mediaBytes.used
  expect(used).toBe(sizeBytes + 'fits'.length)
})

it('files in packages are shared, excluded from drafts alone, and deleted when no package holds them: 409 with the names', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  const [one, other] = [
    await shop.addPackage({ name: 'Player one' }),
    await shop.addPackage({ name: 'Player two' }),
  ]
  const bytes = Buffer.from('shared by two packages')
  const { uid: fileUid, linkUid } = await shop.upload(one, { bytes })
  const share = () => server.call(files.addUpdateFile, { token, body: { packageUid: other, fileUid } })
  const shared = await share()
  expect(shared.code).toBe(200)
  expect(await share()).toEqual({ code: 902, names: ['player.tar'] })
  const remove = () => server.call(files.deleteUpdateFile, { token, body: { uid: fileUid } })
  expect(await remove()).toEqual({ code: 409, uid: fileUid, names: ['Player one', 'Player two'] })
  const exclude = (uid: string, linkid: string | undefined) =>
    server.ask(packages.excludeFile, { token, params: { uid, fileuid: fileUid, linkid } })
  expect((await exclude(one, shared.uid)).statusCode).toBe(404)
  await shop.rotatePackage(other)
  expect((await exclude(other, shared.uid)).json()).toEqual({ data: { code: 400, reason: 'not-a-draft' } })
  expect(await share()).toEqual({ code: 400, reason: 'not-a-draft' })
  expect((await exclude(one, linkUid)).json()).toEqual({ data: { code: 200 } })
  expect((await exclude(one, linkUid)).statusCode).toBe(404)
  expect((await remove()).names).toEqual(['Player two'])
  await server.call(packages.deletePackage, { token, body: { uid: other } })
  expect(await filesOf(shop)).toMatchObject([{ uid: fileUid, packages: [] }])
  const hash = sha256Of(bytes)
  expect(storedFiles()).toContain(hash)
  expect(await remove()).toEqual({ code: 200 })
  expect(storedFiles()).not.toContain(hash)
})

it('files in packages are renamed in the lists; a stale edit is 409', async () => {
  const shop = await newUpdateShop(server)
  const { uid } = await shop.upload(await shop.addPackage(), { bytes: Buffer.from('to be renamed') })
  const edit = (body: object) =>
    server.ask(files.editUpdateFile, { token: shop.token, body: { uid, ...body } })
  expect((await edit({ name: 'Autumn player', version: 1 })).statusCode).toBe(200)
  expect((await edit({ name: 'Winter player', version: 1 })).statusCode).toBe(409)
  expect(await filesOf(shop, { search: '"autumn player"', sort: 'sizeBytes' })).toMatchObject([
    { uid, name: 'Autumn player', originalName: 'player.tar' },
  ])
})

it('files in packages and media of the same bytes lie in the store once, until neither is left', async () => {
  const shop = await newUpdateShop(server)
  const { token } = shop
  const { path } = mp3Fixtures.mono
  const bytes = readFileSync(path)
  const hash = sha256Of(bytes)
  const song = await uploader(server).upload(token, 'melodies', { path, name: 'song.mp3' })
  const uid = await shop.addPackage()
  const file = await shop.upload(uid, { bytes, name: 'chime.mp3' })
  expect(storedFiles().filter(name => name === hash)).toHaveLength(1)
  const body = { uid: song.uid }
  await server.call(deleteMedia, { token, params: { contentType: 'melodies' }, body })
  await server.call(purge, { token, params: { x: 'media', uid: song.uid } })
  expect(storedFiles()).toContain(hash)
  const link = { uid, fileuid: file.uid, linkid: file.linkUid }
  await server.call(packages.excludeFile, { token, params: link })
  await server.call(files.deleteUpdateFile, { token, body: { uid: file.uid } })
  expect(storedFiles()).not.toContain(hash)
})
