import { randomUUID } from 'node:crypto'
import { importSmartPlaylist } from '@floorcast/contract/smart-playlists.ts'
import { expect } from 'vitest'
import { makeDevice } from './factories.ts'
import { makeLists, planDraft } from './smart-draft.ts'
import { makePlay, openPlayer } from './test-device.ts'
import type { TestServer } from './test-server.ts'
import { newShop } from './test-shop.ts'

const SECOND = 1000
export const airAt = (time: string) => new Date(`2026-11-20T${time}:00Z`)
export const isoAt = (millis: number) => new Date(millis).toISOString()

/** A smart playlist of nine to ten on the air since seven; its first ad is what is asked for. */
export async function makeAir(server: TestServer) {
  server.clock.now = airAt('07:00')
  const shop = await newShop(server)
  const lists = await makeLists(shop.scope)
  const draft = planDraft(lists)
  const { uid = '' } = await server.call(importSmartPlaylist, { token: shop.token, body: draft })
  const group = await shop.group()
  await shop.turnGroup(group)
  await shop.turnPlaylist(uid)
  const publication = (await shop.publish(group, uid)).uid ?? ''
  expect(await shop.turn(publication)).toMatchObject({ code: 0 })
  const ad = lists.adsList[0]?.uid ?? ''
  const plays = draft.finishList
    .flatMap(({ items }) => items)
    .filter(item => item.uid === ad)
    .map(({ start }) => airAt('09:00').getTime() + Math.round(start * 1000))
  return { shop, group, publication, playlist: uid, ad, plays }
}
export type Air = Awaited<ReturnType<typeof makeAir>>

/** A device of the group; `say` sends its events at the server's time of then. */
export async function addAirDevice(server: TestServer, { shop, group, publication, playlist, ad }: Air) {
  const { uid, licenseKey } = await makeDevice(shop.scope, { groupUid: group })
  const player = await openPlayer(server, licenseKey)
  const bootId = randomUUID()
  let sequence = 0
  const head = () => ({ id: randomUUID(), bootId, sequence: (sequence += 1) })
  const play = (scheduledAt: number, more: object = {}) =>
    makePlay(sequence, {
      ...head(),
      at: isoAt(scheduledAt),
      publicationUid: publication,
      playlistUid: playlist,
      mediaUid: ad,
      contentType: 'ads',
      scheduledAt: isoAt(scheduledAt),
      startedAt: isoAt(scheduledAt),
      endedAt: isoAt(scheduledAt + 10 * SECOND),
      secondsPlayed: 10,
      durationSeconds: 10,
      ...more,
    })
  const source = (moment: number, status: 'began' | 'silent', why: string | null = null) => ({
    ...head(),
    kind: 'playlist' as const,
    at: isoAt(moment),
    publicationUid: status === 'began' ? publication : null,
    playlistUid: status === 'began' ? playlist : null,
    playlistName: null,
    revision: 1,
    status,
    why,
  })
  return { uid, player, play, source }
}
