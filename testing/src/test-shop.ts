import type { Kind } from '@floorcast/contract/fields.ts'
import * as contract from '@floorcast/contract/publications.ts'
import { addGroup, changeGroupState } from '@floorcast/contract/groups.ts'
import { addPlaylist, addTrack, changePlaylistState } from '@floorcast/contract/playlists.ts'
import { makeMedia } from './factories.ts'
import type { TestServer } from './test-server.ts'

/** A client with calls bound to its token. */
export async function newShop(server: TestServer) {
  const client = await server.newClient()
  const { token } = client
  const of = (kind: Kind) => ({ token, params: { contentType: kind } })
  const group = async (kind: Kind = 'audio') =>
    (await server.call(addGroup, { ...of(kind), body: { name: 'North shops' } })).uid ?? ''
  const emptyPlaylist = async (kind: Kind = 'audio') =>
    (await server.call(addPlaylist, { ...of(kind), body: { name: 'Morning mix' } })).uid ?? ''
  const playlist = async (kind: Kind = 'audio') => {
    const uid = await emptyPlaylist(kind)
    const media = await makeMedia(client.scope, { contentType: kind === 'audio' ? 'melodies' : 'videos' })
    await server.call(addTrack, { token, params: { track: media.uid, playlist: uid } })
    return uid
  }
  const publish = (groupUid: string, playlistUid: string, kind: Kind = 'audio') =>
    server.call(contract.addPublication, { ...of(kind), body: { name: 'On the air', groupUid, playlistUid } })
  const card = (id: string) => server.call(contract.readPublication, { token, params: { id } })
  const toggle = (id: string, from?: string) =>
    server.ask(contract.changePublicationState, { token, params: { id }, query: { from } })
  const turn = async (id: string, from?: string) => (await toggle(id, from)).json<{ data: unknown }>().data
  const delay = (uid: string, startdatetime: string) =>
    server.ask(contract.delayPublication, { token, params: { uid, startdatetime } })
  const turnGroup = (id: string) => server.call(changeGroupState, { token, params: { id } })
  const turnPlaylist = (id: string) => server.call(changePlaylistState, { token, params: { id } })
  return {
    ...client,
    group,
    playlist,
    emptyPlaylist,
    publish,
    card,
    toggle,
    turn,
    delay,
    turnGroup,
    turnPlaylist,
  }
}
export type Shop = Awaited<ReturnType<typeof newShop>>

/** A publication that can be turned on. */
export async function readyPublication(shop: Shop, groupUid?: string) {
  const group = groupUid ?? (await shop.group())
  const playlist = await shop.playlist()
  if (groupUid === undefined) await shop.turnGroup(group)
  await shop.turnPlaylist(playlist)
  return { group, playlist, uid: (await shop.publish(group, playlist)).uid ?? '' }
}
