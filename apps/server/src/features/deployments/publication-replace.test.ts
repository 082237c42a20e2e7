import * as contract from '@floorcast/contract/deployments.ts'
import { deletePlaylist } from '@floorcast/contract/playlists.ts'
import { testServer, type TestServer } from '@floorcast/testkit/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testkit/test-shop.ts'
import { beforeAll, describe, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})

async function onTheAir() {
  const shop = await newShop(server)
  const { token } = shop
  const { uid, playlist } = await readyPublication(shop)
  await shop.turn(uid)
  const replace = (playlistUid: string) =>
    server.call(contract.replacePublicationPlaylist, { token, params: { uid }, body: { playlistUid } })
  const back = () => server.call(contract.returnPublicationPlaylist, { token, params: { uid } })
  const playing = async () => (await shop.card(uid)).playlist.uid
  return { ...shop, uid, first: playlist, replace, back, playing }
}

describe('replacing what a group plays', () => {
  it('swaps while it stays on, and returns', async () => {
    const { playlist, turnPlaylist, first, replace, back, playing, card, uid } = await onTheAir()
    const next = await playlist()
    await turnPlaylist(next)
    expect(await back()).toEqual({ code: -2, reason: 'nothing-to-return-to' })
    expect(await replace(next)).toEqual({ code: 0 })
    expect(await playing()).toBe(next)
    expect((await card(uid)).state).toBe('active')
    expect(await back()).toEqual({ code: 0 })
    expect(await playing()).toBe(first)
    expect(await back()).toEqual({ code: 0 })
    expect(await playing()).toBe(next)
  })

  it('needs an active playlist that fits, and a publication in force', async () => {
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

  it('does not return to a playlist that is being edited: 3', async () => {
    const { playlist, turnPlaylist, first, replace, back, playing } = await onTheAir()
    const next = await playlist()
    await turnPlaylist(next)
    await replace(next)
    await turnPlaylist(first)
    expect(await back()).toEqual({ code: 3, names: ['Morning mix'] })
    expect(await playing()).toBe(next)
  })

  it('does not return to a playlist in the bin, and takes none of another client', async () => {
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
})
