import { readAudit } from '@floorcast/contract/audit.ts'
import { deletePublication } from '@floorcast/contract/publications.ts'
import * as contract from '@floorcast/contract/playlists.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from './playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [registerGroups, registerPlaylists, registerPublications, registerAudit],
  })
})

async function listShop() {
  const shop = await newShop(server)
  const { token } = shop
  const tracks = (id: string) => server.call(contract.readPlaylistWithTracks, { token, params: { id } })
  return { ...shop, tracks }
}

it('a copy has everything but the state and name, and changes alone', async () => {
  const { token, playlist, turnPlaylist, tracks } = await listShop()
  const uid = await playlist()
  const items = (await tracks(uid)).items.map(item => ({
    uid: item.uid,
    repeatCount: 3,
    startTime: '09:00',
  }))
  const settings = { startDate: '2026-12-01', endDate: '2026-12-24', crossfadeSeconds: 2 }
  await server.call(contract.editPlaylist, { token, body: { uid, ...settings, items } })
  await turnPlaylist(uid)
  const answer = await server.call(contract.clonePlaylist, { token, params: { id: uid } })
  const copy = await tracks(answer.uid ?? '')
  expect(copy).toMatchObject({ name: 'Morning mix - copy', state: 'paused', isUsed: false, ...settings })
  expect(copy.items).toMatchObject([{ position: 1, repeatCount: 3, startTime: '09:00' }])
  expect(copy.items[0]?.uid).not.toBe(items[0]?.uid)
  expect([copy.editOf, (await tracks(uid)).edits]).toEqual([null, []])
  const named = { token, params: { id: uid }, query: { name: ' Evening mix ' } }
  const { uid: other = '' } = await server.call(contract.clonePlaylist, named)
  expect(await tracks(other)).toMatchObject({ name: 'Evening mix', state: 'paused', ...settings })
  const wrong = { token, params: { id: uid }, query: { name: 'x<' } }
  expect((await server.ask(contract.clonePlaylist, wrong)).statusCode).toBe(422)
})

it('a copy that is to be edited knows whose place it takes, while that is there', async () => {
  const { token, playlist, group, turnGroup, turnPlaylist, publish, turn, tracks } = await listShop()
  const [uid, shops] = [await playlist(), await group()]
  await turnGroup(shops)
  await turnPlaylist(uid)
  const edit = async () => {
    const input = { token, params: { id: uid }, query: { purpose: 'edit' } }
    return (await server.call(contract.clonePlaylist, input)).uid ?? ''
  }
  const [one, two] = [await edit(), await edit()]
  expect((await tracks(one)).editOf).toEqual({ uid, name: 'Morning mix', isInForce: false })
  const publication = (await publish(shops, uid)).uid ?? ''
  await turn(publication)
  expect((await tracks(one)).editOf).toEqual({ uid, name: 'Morning mix', isInForce: true })
  expect((await tracks(uid)).edits.map(edited => edited.uid)).toEqual([two, one])
  await server.call(contract.deletePlaylist, { token, body: { uid: two } })
  expect((await tracks(uid)).edits).toEqual([{ uid: one, name: 'Morning mix - copy' }])
  const { items } = await server.call(readAudit, { token, params: { id: one } })
  expect(items[0]).toMatchObject({ changes: { editOf: [null, uid] } })
  await turn(publication)
  await server.call(deletePublication, { token, body: { uid: publication } })
  await server.call(contract.deletePlaylist, { token, body: { uid } })
  expect((await tracks(one)).editOf).toBeNull()
})
