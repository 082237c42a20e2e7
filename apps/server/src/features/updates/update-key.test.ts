import { readDevice } from '@floorcast/contract/devices.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import * as deploys from '@floorcast/contract/deploy-packages.ts'
import { readDeviceUpdate } from '@floorcast/contract/device-protocol.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import * as files from '@floorcast/contract/update-files.ts'
import * as packages from '@floorcast/contract/update-packages.ts'
import * as contract from '@floorcast/contract/updates.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newUpdateShop, type UpdateShop } from '@floorcast/testing/test-updates.ts'
import { makeUpdateKeys, statementOf } from '@floorcast/testing/update-keys.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerUpdates } from './updates-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [registerDevices, registerGroups, registerUpdates, registerDeviceHost],
  })
})

const errorsOf = (answer: { json: <T>() => T }) => answer.json<Problem>().errors
const storedFiles = () => uploader(server).storedFiles()
const setKey = ({ token }: UpdateShop, publicKey: string | null) =>
  server.ask(contract.setUpdateKey, { token, body: { publicKey } })
const filesOf = async ({ token }: UpdateShop, query = {}) =>
  (await server.call(files.listUpdateFiles, { token, query })).items

it('is in the install line of a device’s card', async () => {
  const shop = await newUpdateShop(server)
  const { installLine } = await server.call(readDevice, {
    token: shop.token,
    params: { id: shop.device.uid },
  })
  expect(installLine).toMatch(/ --key [0-9A-Z-]+ --update-key [A-Za-z0-9+/]{43}=$/)
  expect(installLine?.endsWith(shop.keys?.publicKey ?? 'none')).toBe(true)
})

it('a signed update file is taken as it is without a key, but leaves no draft; with one only with the signature that fits', async () => {
  const shop = await newUpdateShop(server, null)
  const [keys, others] = [makeUpdateKeys(), makeUpdateKeys()]
  const bytes = Buffer.from('player, signed')
  const uid = await shop.addPackage()
  const unsigned = await shop.upload(uid, { bytes: Buffer.from('unsigned'), name: 'unsigned.tar' })
  const early = { bytes, name: 'early.tar', signature: keys.signFile(bytes) }
  await shop.upload(uid, early)
  expect((await filesOf(shop)).map(file => file.signatureState)).toEqual(['unchecked', 'missing'])
  expect(await shop.rotatePackage(uid)).toEqual({ code: -2, reason: 'update-key-missing' })
  expect((await shop.card(uid)).state).toBe('draft')
  expect((await setKey(shop, keys.publicKey)).json()).toEqual({ data: { code: 200 } })
  expect(await server.call(contract.readUpdateKey, { token: shop.token })).toEqual({
    publicKey: keys.publicKey,
  })
  const before = storedFiles()
  const upload = (signature?: string) =>
    shop.upload(uid, { bytes, name: 'late.tar', ...(signature === undefined ? {} : { signature }) })
  const names = ['late.tar']
  expect(await upload()).toEqual({ code: 400, reason: 'signature-missing', names })
  expect(await upload('  ')).toEqual({ code: 400, reason: 'signature-missing', names })
  expect(await upload(others.signFile(bytes))).toEqual({ code: 400, reason: 'signature-wrong', names })
  const another = keys.signFile(Buffer.from('another file'))
  expect((await upload(another)).reason).toBe('signature-wrong')
  const garbage = await shop.request(uid, { bytes, signature: 'not a signature' })
  expect([garbage.statusCode, errorsOf(garbage)]).toMatchObject([
    422,
    [{ path: 'signature', message: 'update-signature' }],
  ])
  expect(storedFiles()).toEqual(before)
  const signed = await shop.upload(uid, {
    bytes,
    name: 'late.tar',
    signature: `${keys.signFile(bytes)}\n`,
    isSignedLast: true,
  })
  expect(signed.code).toBe(200)
  // No signature mends a name that is taken, so that the name is what is said.
  expect(await upload()).toEqual({ code: 902, names })
  expect(await upload(others.signFile(bytes))).toEqual({ code: 902, names })
  // A file from before the key cannot leave the draft without a signature.
  expect(await shop.rotatePackage(uid)).toEqual({
    code: -2,
    reason: 'signature-missing',
    names: ['unsigned.tar'],
  })
  const link = { uid, fileuid: unsigned.uid, linkid: unsigned.linkUid }
  await server.call(packages.excludeFile, { token: shop.token, params: link })
  expect((await shop.rotatePackage(uid)).state).toBe('testing')
  await setKey(shop, others.publicKey)
  expect(await shop.rotatePackage(uid)).toEqual({
    code: -2,
    reason: 'signature-wrong',
    names: ['early.tar', 'late.tar'],
  })
  await setKey(shop, keys.publicKey)
  expect((await shop.rotatePackage(uid)).state).toBe('released')
  await shop.rotateDeployPackage(await shop.deploy(uid, await shop.addChannel()))
  const files = (await (await shop.player()).update())?.files ?? []
  expect(files.map(({ signature }) => signature)).toEqual([keys.signFile(bytes), keys.signFile(bytes)])
  expect((await filesOf(shop, { search: 'late' })).map(file => file.signatureState)).toEqual(['valid'])
})

it('a signed update file carries what was signed of it to devices, and is no other file and version than that', async () => {
  const shop = await newUpdateShop(server)
  const [keys, bytes] = [shop.keys ?? makeUpdateKeys(), Buffer.from('player, with a statement')]
  const uid = await shop.addPackage({ version: '2.999.0' })
  const upload = (name: string, signature: string) => shop.upload(uid, { bytes, name, signature })
  const refused = (reason: string, name = 'player.mjs') => ({ code: 400, reason, names: [name] })
  const line = keys.signLine(bytes)
  expect(await upload('renamed.mjs', line)).toEqual(refused('signature-mismatch', 'renamed.mjs'))
  const strange = `${keys.signFile(bytes)} ${makeUpdateKeys().signLine(bytes).split(' ').slice(1).join(' ')}`
  expect(await upload('player.mjs', strange)).toEqual(refused('signature-wrong'))
  for (const claims of [{ sizeBytes: 1 }, { sha256: '0'.repeat(64) }])
    expect(await upload('player.mjs', keys.signLine(bytes, claims))).toEqual(refused('signature-mismatch'))
  const text = Buffer.from('floorcast projector update\n').toString('base64')
  const other = await shop.request(uid, { bytes, signature: line.replace(/ \S+ /, ` ${text} `) })
  expect(errorsOf(other)).toMatchObject([{ path: 'signature', message: 'update-signature' }])
  expect((await upload('player.mjs', line)).code).toBe(200)

  const token = shop.token
  const named = (version: string) => server.call(packages.editPackage, { token, body: { uid, version } })
  await named('3.0.0')
  const names = ['player.mjs']
  expect(await shop.rotatePackage(uid)).toEqual({ code: -2, reason: 'signature-mismatch', names })
  await named('2.999.0')
  for (const state of ['testing', 'released']) expect((await shop.rotatePackage(uid)).state).toBe(state)
  await shop.rotateDeployPackage(await shop.deploy(uid, await shop.addChannel()))
  const statement = keys.signStatement(statementOf(bytes))
  expect((await (await shop.player()).update())?.files).toMatchObject([
    { signature: keys.signFile(bytes), statement },
  ])
  expect((await filesOf(shop))[0]).toMatchObject({ signatureState: 'valid', statement: statement.text })
})

it('a signed update file is offered only while it is signed for the present key', async () => {
  const shop = await newUpdateShop(server)
  const { token, keys } = shop
  const player = await shop.player()
  const uid = await shop.released()
  const deployed = await shop.deploy(uid, await shop.addChannel())
  await shop.rotateDeployPackage(deployed)
  const [file] = (await shop.card(uid)).files
  const url = buildPath(readDeviceUpdate.path, { uid: file?.uid, sha256: file?.hash })
  const state = async () => ({
    offered: (await player.update()) !== undefined,
    listed: (await server.call(deploys.listDeployPackages, { token })).items[0]?.isOffered,
    file: (await server.http.app.inject({ url, headers: { authorization: `Bearer ${player.token}` } }))
      .statusCode,
  })
  const isOffered = { offered: true, listed: true, file: 200 }
  const isNot = { offered: false, listed: false, file: 404 }
  expect(await state()).toEqual(isOffered)
  for (const publicKey of [makeUpdateKeys().publicKey, null]) {
    await setKey(shop, publicKey)
    expect(await state()).toEqual(isNot)
    await setKey(shop, keys?.publicKey ?? null)
    expect(await state()).toEqual(isOffered)
  }
  // A package that was released before signatures were needed.
  await shop.scope.write(writes => writes.updateTable('updateFiles').set({ signature: null }).execute())
  for (const _ of ['forced', 'paused']) await shop.rotateDeployPackage(deployed)
  expect(await shop.rotateDeployPackage(deployed)).toEqual({
    code: -2,
    reason: 'signature-missing',
    names: ['player.tar'],
  })
  expect(await state()).toEqual(isNot)
})

it.each(['', 'short', 'A'.repeat(44), `${'A'.repeat(42)}B=`])(
  'a signed update file takes no key such as %j',
  async publicKey => {
    const answer = await setKey(await newUpdateShop(server), publicKey)
    expect([answer.statusCode, errorsOf(answer)]).toMatchObject([
      422,
      [{ path: 'publicKey', message: 'update-key' }],
    ])
  },
)
