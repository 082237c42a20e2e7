import { readDeviceMedia } from '@floorcast/contract/device-protocol.ts'
import { readMedia } from '@floorcast/contract/media.ts'
import * as playlists from '@floorcast/contract/playlists.ts'
import { importSmartPlaylist, type SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { z } from 'zod'
import { makeDevice } from './factories.ts'
import { makeSong } from './media-song.ts'
import { uploader } from './media-upload-form.ts'
import { planDraft } from './smart-draft.ts'
import { openPlayer } from './test-device.ts'
import { readPlayerManifest } from './test-manifests.ts'
import type { TestServer } from './test-server.ts'
import { newShop } from './test-shop.ts'

let shops = 0

/** Lengths of the songs and ads, in seconds. */
const SHORT = { melodies: [3, 4, 5], ads: [2, 2] }

/** A shop with songs and ads of some seconds, and a day planned of them, paused. */
export async function makeDay(
  server: TestServer,
  given: Partial<SmartDraft> = {},
  lengths: { melodies: readonly number[]; ads: readonly number[] } = SHORT,
) {
  const { upload } = uploader(server)
  const shop = await newShop(server)
  // No two shops have the same bytes, so that tests find files by their hash.
  const own = [++shops & 7, (shops >> 3) & 7]
  const { token } = shop
  const add = async (contentType: 'melodies' | 'ads', n: number, seconds: number) => {
    const bytes = makeSong({ notes: [n, ...own], seconds })
    const { uid = '' } = await upload(token, contentType, { bytes, name: `${contentType} ${n}.mp3` })
    const { durationSeconds } = await server.call(readMedia, { token, params: { contentType, uid } })
    return { uid, duration: durationSeconds }
  }
  const melList = []
  for (const [n, seconds] of lengths.melodies.entries()) melList.push(await add('melodies', n, seconds))
  const adsList = []
  for (const [n, seconds] of lengths.ads.entries()) adsList.push(await add('ads', n, seconds))
  const draft = planDraft({ melList, adsList }, given)
  const { uid = '' } = await server.call(importSmartPlaylist, { token, body: draft })
  const call = {
    card: () => server.call(playlists.readPlaylist, { token, params: { id: uid } }),
    tracks: (query: object = {}) =>
      server.call(playlists.readPlaylistWithTracks, { token, params: { id: uid }, query }),
    source: (id = uid) => server.call(playlists.readPlaylistSource, { token, params: { id } }),
    send: (body: object) => server.call(importSmartPlaylist, { token, body }),
    replace: (contentType: 'melodies' | 'ads', media: string, seconds: number) =>
      upload(token, contentType, {
        bytes: makeSong({ notes: [7, ...own], seconds }),
        name: `new ${seconds}.mp3`,
        fields: { uid: media },
      }),
  }
  return { shop, token, uid, draft, ...call }
}

export type SmartDay = Awaited<ReturnType<typeof makeDay>>

/** Puts a playlist on the air in a new group with one device, which nobody has started yet. */
export async function publishDay({ shop, uid }: Pick<SmartDay, 'shop' | 'uid'>) {
  const group = await shop.group()
  const { licenseKey, uid: deviceUid } = await makeDevice(shop.scope, { groupUid: group })
  await shop.turnGroup(group)
  await shop.turnPlaylist(uid)
  const publication = (await shop.publish(group, uid)).uid ?? ''
  const { code } = z.object({ code: z.number() }).parse(await shop.turn(publication))
  if (code !== 0) throw new Error(`the publication was not turned on: ${code}`)
  return { group, publication, licenseKey, deviceUid }
}

/** On the air, and the device's session open. */
export async function goOnAir(server: TestServer, day: SmartDay) {
  const { licenseKey, ...air } = await publishDay(day)
  // Loudness is part of a manifest; the queue would measure these files after those of all former tests.
  await day.shop.scope.write(writes =>
    writes
      .updateTable('mediaFiles')
      .set({ loudnessState: 'measured', integratedLufs: -16, truePeakDbtp: -1 })
      .where('loudnessState', '=', 'pending')
      .execute(),
  )
  const player = await openPlayer(server, licenseKey)
  const manifest = async () => {
    const { etag, manifest: read } = await readPlayerManifest(server, player)
    return { etag, ...read, files: read.publications.flatMap(({ files }) => files) }
  }
  const file = (mediaUid: string, sha256: string) =>
    server.ask(readDeviceMedia, { token: player.token, params: { uid: mediaUid, sha256 } })
  return { ...air, player, manifest, file }
}
