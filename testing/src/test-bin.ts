import { previewManyBinned, purgeMany, restoreMany, type BinAction } from '@floorcast/contract/bulk-calls.ts'
import { deleteDevice } from '@floorcast/contract/devices.ts'
import { deleteGroup } from '@floorcast/contract/groups.ts'
import { deleteMedia } from '@floorcast/contract/media.ts'
import { addTrack, deletePlaylist } from '@floorcast/contract/playlists.ts'
import { deletePublication } from '@floorcast/contract/publications.ts'
import { listBin, type BinKind } from '@floorcast/contract/recycle-bin.ts'
import { makeDevice, makeGroup, makeMedia } from './factories.ts'
import type { TestServer } from './test-server.ts'
import { readyPublication, type Shop } from './test-shop.ts'

type Items = { uids: string[] } | { filter: object; except?: string[]; after?: string; all?: true }
/** The calls of a user for many items of the bin. */
export const binCallsOf = (server: TestServer, token: string) => ({
  preview: (x: BinKind, items: Items, action: BinAction) =>
    server.call(previewManyBinned, { token, params: { x }, body: { items, action } }),
  restore: (x: BinKind, items: Items) => server.call(restoreMany, { token, params: { x }, body: items }),
  purge: (x: BinKind, items: Items) => server.call(purgeMany, { token, params: { x }, body: items }),
  list: (x: BinKind, query = {}) => server.call(listBin, { token, params: { x }, query }),
})

/** Groups in the bin. */
export async function binGroups(server: TestServer, { token, scope }: Shop, names: readonly string[]) {
  const uids: string[] = []
  for (const name of names) {
    const uid = await makeGroup(scope, { name })
    await server.call(deleteGroup, { token, body: { uid } })
    uids.push(uid)
  }
  return uids
}

/** A publication in the bin with its group and playlist. */
export async function binPublication(server: TestServer, shop: Shop) {
  const { token } = shop
  const made = await readyPublication(shop)
  await server.call(deletePublication, { token, body: { uid: made.uid } })
  await server.call(deletePlaylist, { token, body: { uid: made.playlist } })
  await server.call(deleteGroup, { token, body: { uid: made.group } })
  return made
}

/** Devices in the bin: Till 1, Till 2 and so on. */
export async function binDevices(server: TestServer, { token, scope }: Shop, count: number) {
  const uids: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const { uid } = await makeDevice(scope, { name: `Till ${n}` })
    await server.call(deleteDevice, { token, body: { uid } })
    uids.push(uid)
  }
  return uids
}

/** Media in the bin; the first one's playlist is in the bin too. */
export async function binMedia(server: TestServer, { token, scope, emptyPlaylist }: Shop) {
  const [needed, free] = [await makeMedia(scope, { name: 'Spring sale' }), await makeMedia(scope)]
  const ad = await makeMedia(scope, { contentType: 'ads' })
  const playlist = await emptyPlaylist()
  await server.call(addTrack, { token, params: { track: needed.uid, playlist } })
  await server.call(deletePlaylist, { token, body: { uid: playlist } })
  for (const [contentType, { uid }] of [
    ['melodies', needed],
    ['melodies', free],
    ['ads', ad],
  ] as const)
    await server.call(deleteMedia, { token, params: { contentType }, body: { uid } })
  return { needed: needed.uid, free: free.uid, ad: ad.uid, playlist }
}
