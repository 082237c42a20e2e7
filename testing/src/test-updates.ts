import * as channels from '@floorcast/contract/update-channels.ts'
import * as deploys from '@floorcast/contract/deploy-packages.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { readManifest } from '@floorcast/contract/device-protocol.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import * as packages from '@floorcast/contract/update-packages.ts'
import { setUpdateKey } from '@floorcast/contract/updates.ts'
import { makeDevice } from './factories.ts'
import { openPlayer } from './test-device.ts'
import type { TestServer } from './test-server.ts'
import { newShop } from './test-shop.ts'
import { makeUpdateKeys, type UpdateKeys } from './update-keys.ts'

export interface UpdateParts {
  bytes?: Uint8Array
  name?: string
  /** The signature of the client's key by default; null: none. */
  signature?: string | null
  description?: string
  /** The signature after the file, as a form may have it. */
  isSignedLast?: boolean
}

let versions = 0

/** A player with what its manifest says of updates. */
async function openUpdatePlayer(server: TestServer, licenseKey: string) {
  const { token, params } = await openPlayer(server, licenseKey)
  const manifest = () => server.call(readManifest, { token, params })
  const etag = async () => (await server.ask(readManifest, { token, params })).headers['etag'] ?? ''
  return { token, params, manifest, etag, update: async () => (await manifest()).update }
}

/** Uploads into packages as a browser sends them: the raw answer, or its `data`. */
function uploadsOf(server: TestServer, token: string, keys: UpdateKeys | null) {
  const request = async (packageUid: string, parts: UpdateParts) => {
    const form = new FormData()
    const { signature = parts.bytes && keys ? keys.signFile(parts.bytes) : null } = parts
    if (parts.description !== undefined) form.append('description', parts.description)
    if (signature !== null && !parts.isSignedLast) form.append('signature', signature)
    if (parts.bytes) form.append('file', new Blob([new Uint8Array(parts.bytes)]), parts.name ?? 'player.tar')
    if (signature !== null && parts.isSignedLast) form.append('signature', signature)
    const encoded = new Response(form)
    return server.http.app.inject({
      method: 'POST',
      url: buildPath(packages.uploadUpdateFile.path, { uid: packageUid }),
      headers: {
        'content-type': encoded.headers.get('content-type') ?? '',
        authorization: `Bearer ${token}`,
      },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
  }
  const upload = async (packageUid: string, parts: UpdateParts) => {
    const answer = await request(packageUid, parts)
    if (answer.statusCode !== 200) throw new Error(`upload: ${answer.statusCode} ${answer.body}`)
    return answer.json<{ data: Outcome & { linkUid?: string } }>().data
  }
  return { request, upload }
}

/** A client with its key, a group, a device in it, and calls for its updates bound to its token. @param keys null: no key */
export async function newUpdateShop(server: TestServer, keys: UpdateKeys | null = makeUpdateKeys()) {
  const shop = await newShop(server)
  const { token } = shop
  if (keys) await server.call(setUpdateKey, { token, body: { publicKey: keys.publicKey } })
  const groupUid = await shop.group()
  const device = await makeDevice(shop.scope, { groupUid })

  const { request, upload } = uploadsOf(server, token, keys)
  const addPackage = async (more: object = {}) => {
    const body = { name: 'Player', category: 'Program', version: `3.0.${++versions}`, ...more }
    return (await server.call(packages.addPackage, { token, body })).uid ?? ''
  }
  const addChannel = async (more: object = {}) => {
    const body = { name: 'Pilot shops', groupUids: [groupUid], ...more }
    return (await server.call(channels.addChannel, { token, body })).uid ?? ''
  }
  const deploy = async (packageUid: string, channelUid: string) =>
    (await server.call(deploys.addDeployPackage, { token, body: { packageUid, channelUid } })).uid ?? ''

  const rotatePackage = (id: string, from?: string) =>
    server.call(packages.rotatePackage, { token, params: { id }, query: { from } })
  const rotateChannel = (id: string, from?: string) =>
    server.call(channels.rotateChannel, { token, params: { id }, query: { from } })
  const rotateDeployPackage = (id: string, from?: string) =>
    server.call(deploys.rotateDeployPackage, { token, params: { id }, query: { from } })

  /** A package with one file, released. */
  const released = async (more: object = {}, bytes: Uint8Array = Buffer.from('the new player')) => {
    const uid = await addPackage(more)
    await upload(uid, { bytes })
    await rotatePackage(uid, 'draft')
    await rotatePackage(uid, 'testing')
    return uid
  }
  const card = (id: string) => server.call(packages.readPackage, { token, params: { id } })
  const player = () => openUpdatePlayer(server, device.licenseKey)
  return {
    ...shop,
    keys,
    groupUid,
    device,
    request,
    upload,
    addPackage,
    addChannel,
    deploy,
    rotatePackage,
    rotateChannel,
    rotateDeployPackage,
    released,
    card,
    player,
  }
}
export type UpdateShop = Awaited<ReturnType<typeof newUpdateShop>>
