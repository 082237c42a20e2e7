import * as contract from '@floorcast/contract/publications.ts'
import { deletePlaylist, editPlaylist } from '@floorcast/contract/playlists.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from './publications-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ features: [registerGroups, registerPlaylists, registerPublications] })
})

async function onTheAir() {
  const shop = await newShop(server)
  const { token } = shop
  const { uid, playlist } = await readyPublication(shop)
  await shop.turn(uid)
  const replace = (playlistUid: string) =>
    server.call(contract.replacePublicationPlaylist, { token, params: { uid }, body: { playlistUid } })
  const back = () => server.call(contract.returnPublicationPlaylist, { token, params: { uid } })
  const askReplace = async (playlistUid: string, from: string) => {
    const body = { playlistUid }
    const input = { token, params: { uid }, query: { from }, body }
    return (await server.ask(contract.replacePublicationPlaylist, input)).statusCode
  }
  const askBack = async (from: string) =>
    (await server.ask(contract.returnPublicationPlaylist, { token, params: { uid }, query: { from } }))
      .statusCode
  const playing = async () => (await shop.card(uid)).playlist.uid
  return { ...shop, uid, first: playlist, replace, back, askReplace, askBack, playing }
}

it('replacing what a group plays swaps while it stays on, and returns', async () => {
  const { playlist, turnPlaylist, first, replace, back, playing, card, uid } = await onTheAir()
  const next = await playlist()
  await turnPlaylist(next)
  expect(await back()).toEqual({ code: -2, reason: 'nothing-to-return-to' })
  expect(await replace(next)).toEqual({ code: 0 })
  expect(await playing()).toBe(next)
  expect(await card(uid)).toMatchObject({
    state: 'active',
    formerPlaylist: { uid: first, name: 'Morning mix', state: 'active' },
  })
  expect(await back()).toEqual({ code: 0 })
  expect(await playing()).toBe(first)
  expect(await back()).toEqual({ code: 0 })
  expect(await playing()).toBe(next)
})

it('replacing what a group plays is refused to users who may only view: 403, and nothing changes', async () => {
  const { scope, playlist, turnPlaylist, first, playing, uid } = await onTheAir()
  const next = await playlist()
  await turnPlaylist(next)
  const { token } = await signedInUser(scope, { role: 'admin', rights: 'view' })
  const input = { token, params: { uid } }
  const answers = [
    await server.ask(contract.replacePublicationPlaylist, { ...input, body: { playlistUid: next } }),
    await server.ask(contract.returnPublicationPlaylist, input),
  ]
  for (const answer of answers)
    expect([answer.statusCode, answer.json<Problem>().code]).toEqual([403, 'rights'])
  expect(await playing()).toBe(first)
})

it('replacing what a group plays needs an active playlist that fits, and a publication in force', async () => {
  const shop = await onTheAir()
  const { playlist, emptyPlaylist, turnPlaylist, turn, replace, playing, first, uid } = shop
  const paused = await playlist()
  expect((await replace(paused)).code).toBe(3)
  const empty = await emptyPlaylist()
  await turnPlaylist(empty)
  expect(await replace(empty)).toEqual({ code: -2, reason: 'playlist-empty' })
  const video = await playlist('video')
  await turnPlaylist(video)
  expect(await replace(video)).toEqual({ code: -2, reason: 'kind-does-not-fit' })
  expect(await playing()).toBe(first)
  await turnPlaylist(paused)
  await turn(uid)
  expect(await replace(paused)).toEqual({ code: -2, reason: 'turn-it-on-first' })
})

it('replacing what a group plays does not return to a playlist that is being edited: 3', async () => {
  const { playlist, turnPlaylist, first, replace, back, playing } = await onTheAir()
  const next = await playlist()
  await turnPlaylist(next)
  await replace(next)
  await turnPlaylist(first)
  expect(await back()).toEqual({ code: 3, names: ['Morning mix'] })
  expect(await playing()).toBe(next)
})

it('replacing what a group plays lets one of two who replace it at once go first, and one of two who return; the other is told: 409', async () => {
  const { playlist, turnPlaylist, first, askReplace, askBack, playing } = await onTheAir()
  const [mine, theirs] = [await playlist(), await playlist()]
  for (const uid of [mine, theirs]) await turnPlaylist(uid)
  for (let round = 0; round < 12; round++) {
    const codes = await Promise.all([askReplace(mine, first), askReplace(theirs, first)])
    expect(codes.toSorted((one, other) => one - other)).toEqual([200, 409])
    const now = codes[0] === 200 ? mine : theirs
    expect(await playing()).toBe(now)
    const ways = await Promise.all([askBack(now), askBack(now)])
    expect(ways.toSorted((one, other) => one - other)).toEqual([200, 409])
    expect(await playing()).toBe(first)
  }
})

it('replacing what a group plays changes what a publication that waits will play, if it fits then, and finds the publications of a playlist', async () => {
  const shop = await onTheAir()
  const { token, first, playlist, turnPlaylist, publish, delay, card, group } = shop
  const other = await group()
  await shop.turnGroup(other)
  const waiting = (await publish(other, first)).uid ?? ''
  await delay(waiting, '2099-05-01T09:00:00')
  const next = await playlist()
  const replace = (playlistUid: string) =>
    server.call(contract.replacePublicationPlaylist, {
      token,
      params: { uid: waiting },
      query: { from: first },
      body: { playlistUid },
    })
  await server.call(editPlaylist, { token, body: { uid: next, endDate: '2099-04-30' } })
  await turnPlaylist(next)
  expect(await replace(next)).toEqual({ code: -2, reason: 'outside-dates' })
  await turnPlaylist(next)
  await server.call(editPlaylist, { token, body: { uid: next, endDate: '2099-05-01' } })
  await turnPlaylist(next)
  const playingFirst = async () => {
    const query = { playlistUid: first }
    const { items } = await server.call(contract.listPublications, { token, params: { x: 'all' }, query })
    return items.map(({ uid }) => uid).toSorted()
  }
  expect(await playingFirst()).toEqual([shop.uid, waiting].toSorted())
  expect((await replace(next)).code).toBe(0)
  expect(await card(waiting)).toMatchObject({
    state: 'delayed',
    startsAt: '2099-05-01T09:00:00',
    playlist: { uid: next },
    formerPlaylist: { uid: first },
  })
  expect(await playingFirst()).toEqual([shop.uid])
})

it('replacing what a group plays does not return to a playlist in the bin, and takes none of another client', async () => {
  const { token, playlist, turnPlaylist, first, replace, back, uid } = await onTheAir()
  const next = await playlist()
  await turnPlaylist(next)
  await replace(next)
  await turnPlaylist(first)
  expect((await server.call(deletePlaylist, { token, body: { uid: first } })).code).toBe(200)
  expect((await back()).reason).toBe('nothing-to-return-to')
  const other = await newShop(server)
  const body = { playlistUid: await other.playlist() }
  const theirs = await server.ask(contract.replacePublicationPlaylist, { token, params: { uid }, body })
  expect(theirs.statusCode).toBe(404)
})
