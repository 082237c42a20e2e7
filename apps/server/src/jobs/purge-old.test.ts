import { readAudit } from '@floorcast/contract/audit.ts'
import { readLimits } from '@floorcast/contract/dashboard.ts'
import { deletePublication } from '@floorcast/contract/publications.ts'
import { deleteDevice } from '@floorcast/contract/devices.ts'
import { deleteGroup } from '@floorcast/contract/groups.ts'
import { deleteMedia, readMedia } from '@floorcast/contract/media.ts'
import { addTrack, deletePlaylist } from '@floorcast/contract/playlists.ts'
import { type BinKind, listBin, purge } from '@floorcast/contract/recycle-bin.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeDay } from '@floorcast/testing/smart-shop.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { newShop, readyPublication, type Shop } from '@floorcast/testing/test-shop.ts'
import { beforeEach, expect, test } from 'vitest'
import { Client } from 'pg'
import { collectDueFiles } from '../features/uploads/uploads.ts'
import { FILE_DELETION_LOCK } from '../platform/storage/file-store.ts'
import { openDatabase } from '../platform/database/database.ts'
import { uuidV7 } from '../platform/lib/uuid-v7.ts'
import { runMaintenance } from './maintenance.ts'

const server = await wholeServer()
const { upload, storedFiles } = uploader(server)
const DAY = 86_400_000
const melodies = { contentType: 'melodies' }

/** Each test has separate days: maintenance runs once a day. */
let today = Date.now()
const goOn = (days: number) => {
  today += days * DAY
  server.clock.now = new Date(today)
}
beforeEach(() => goOn(5))

const inBin = async ({ token }: Shop, x: BinKind) =>
  (await server.call(listBin, { token, params: { x } })).items.map(({ uid }) => uid)
const usedBytes = async ({ token }: Shop) => (await server.call(readLimits, { token })).mediaBytes.used

/** As if all in the bin had been deleted so many days ago. */
async function age(shop: Shop, daysAgo: number) {
  const deletedAt = new Date(today - daysAgo * DAY)
  await shop.scope.write(async writes => {
    for (const table of ['mediaItems', 'playlists', 'publications', 'groups', 'devices'] as const)
      await writes.updateTable(table).set({ deletedAt }).where('deletedAt', 'is not', null).execute()
  })
}

test('the recycle bin after 30 days is purged with its files also when the server is killed after the rows went: any server does the rest', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const song = await upload(token, 'melodies', { bytes: makeSong({ notes: [2, 5], seconds: 2 }) })
  await server.call(deleteMedia, { token, params: melodies, body: { uid: song.uid } })
  const files = storedFiles().length
  await age(shop, 31)
  const killed = { ...server.context.files, delete: () => Promise.reject(new Error('killed')) }
  await runMaintenance({ ...server.context, files: killed })
  expect(await inBin(shop, 'media')).toEqual([])
  expect(storedFiles()).toHaveLength(files)
  // For a few minutes the server that noted the file may still be at it.
  await collectDueFiles(server.context, server.context.database)
  expect(storedFiles()).toHaveLength(files)
  await asSuperuser(server.superuserUrl, superuser => superuser.query('update file_notes set due_at = now()'))
  await collectDueFiles(server.context, server.context.database)
  expect(storedFiles()).toHaveLength(files - 1)
})

test('the recycle bin after 30 days is purged of rows while a backup copies files, and the files go after it', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const again = { bytes: makeSong({ notes: [6, 5], seconds: 2 }), name: 'again.mp3' }
  const song = await upload(token, 'melodies', { bytes: makeSong({ notes: [4, 5], seconds: 2 }) })
  const kept = await upload(token, 'melodies', again)
  const files = storedFiles().length
  for (const { uid } of [song, kept])
    await server.call(deleteMedia, { token, params: melodies, body: { uid } })
  await age(shop, 31)
  const backup = new Client({ connectionString: server.url })
  await backup.connect()
  await backup.query(`select pg_advisory_lock(${FILE_DELETION_LOCK})`)
  await runMaintenance(server.context)
  expect(await inBin(shop, 'media')).toEqual([])
  await collectDueFiles(server.context, server.context.database)
  expect(storedFiles()).toHaveLength(files)
  // The same bytes come again before the backup ends: they have a row, and stay.
  await upload(token, 'melodies', again)
  await backup.end()
  await collectDueFiles(server.context, server.context.database)
  expect(storedFiles()).toHaveLength(files - 1)
})

test('the recycle bin after 30 days is purged of every kind, with an entry each in the audit, and gives storage and files back', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const song = await upload(token, 'melodies', { bytes: makeSong({ notes: [3, 5], seconds: 2 }) })
  const { group, playlist, uid: publication } = await readyPublication(shop)
  await shop.turnPlaylist(playlist)
  await server.call(addTrack, { token, params: { track: song.uid, playlist } })
  const device = await makeDevice(shop.scope)
  for (const [call, uid] of [
    [deletePublication, publication],
    [deletePlaylist, playlist],
    [deleteGroup, group],
    [deleteDevice, device.uid],
  ] as const)
    expect((await server.call(call, { token, body: { uid } })).code).toBe(200)
  await server.call(deleteMedia, { token, params: melodies, body: { uid: song.uid } })
  const before = await usedBytes(shop)
  const files = storedFiles().length
  await age(shop, 31)
  expect(await runMaintenance(server.context)).toMatchObject({ binned: 5 })
  for (const x of ['media', 'playlists', 'publications', 'groups', 'devices'] as const)
    expect(await inBin(shop, x)).toEqual([])
  expect(await usedBytes(shop)).toBeLessThan(before)
  expect(storedFiles()).toHaveLength(files - 1)
  const audit = await server.call(readAudit, { token, params: { id: song.uid }, query: {} })
  expect(audit.items[0]).toMatchObject({
    class: 'purge',
    type: 'media',
    userUid: null,
    userName: 'Floorcast',
  })
})

test('the recycle bin after 30 days keeps what is younger, what lives, and what something younger in the bin still needs', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const { group, playlist, uid } = await readyPublication(shop)
  await server.call(deletePublication, { token, body: { uid } })
  await server.call(deletePlaylist, { token, body: { uid: playlist } })
  await age(shop, 31)
  await shop.scope.write(writes =>
    writes
      .updateTable('publications')
      .set({ deletedAt: new Date(today - 29 * DAY) })
      .execute(),
  )
  expect(await runMaintenance(server.context)).toMatchObject({ binned: 0 })
  expect(await inBin(shop, 'playlists')).toEqual([playlist])
  goOn(2)
  expect(await runMaintenance(server.context)).toMatchObject({ binned: 2 })
  const living = await shop.scope.reads.selectFrom('groups').select('uid').execute()
  expect(living).toEqual([{ uid: group }])
  expect(await shop.scope.reads.selectFrom('mediaItems').select('uid').execute()).toHaveLength(1)
})

/** Both ways by which an item leaves the bin for good. */
const ENDS: Record<string, (shop: Shop, playlist: string) => Promise<unknown>> = {
  'after 30 days': async shop => {
    await age(shop, 31)
    expect(await runMaintenance(server.context)).toMatchObject({ binned: 1 })
  },
  'by a user': ({ token }, uid) => server.call(purge, { token, params: { x: 'playlists', uid } }),
}

test.each(Object.keys(ENDS))(
  'a smart playlist that is purged %s takes the former file that it alone had kept',
  async way => {
    const day = await makeDay(server)
    const { shop, token, uid, draft } = day
    const [song = ''] = draft.melList.map(each => each.uid)
    const params = { ...melodies, uid: song }
    const { hash } = await server.call(readMedia, { token, params })
    await day.replace('melodies', song, 6)
    await server.call(deletePlaylist, { token, body: { uid } })
    expect(storedFiles()).toContain(hash)
    await ENDS[way]?.(shop, uid)
    expect(storedFiles()).not.toContain(hash)
    expect(storedFiles()).toContain((await server.call(readMedia, { token, params })).hash)
  },
)

test('the recycle bin after 30 days keeps a file that another item names', async () => {
  const shop = await newShop(server)
  const { token } = shop
  const bytes = makeSong({ notes: [7, 1], seconds: 2 })
  const first = await upload(token, 'melodies', { bytes, name: 'One.mp3' })
  await upload(token, 'melodies', { bytes, name: 'Two.mp3' })
  await server.call(deleteMedia, { token, params: melodies, body: { uid: first.uid } })
  const files = storedFiles()
  await age(shop, 40)
  expect(await runMaintenance(server.context)).toMatchObject({ binned: 1 })
  expect(storedFiles()).toEqual(files)
})

test('the recycle bin after 30 days is purged once by many servers, in more than one batch', async () => {
  const shop = await newShop(server)
  const { clientId } = shop.scope
  const recorded = { createdAt: new Date(), changedAt: new Date(), deletedAt: new Date() }
  const groups = Array.from({ length: 600 }, (_, nr) => ({
    uid: uuidV7(),
    clientId,
    kind: 'audio' as const,
    name: `Group ${nr}`,
    ...recorded,
  }))
  await shop.scope.write(writes => writes.insertInto('groups').values(groups).execute())
  await age(shop, 31)
  const other = openDatabase({ url: server.url, lost: () => undefined })
  try {
    const did = await Promise.all(
      [server.database, other, server.database].map(database =>
        runMaintenance({ ...server.context, database }),
      ),
    )
    expect(did.filter(purged => purged !== null)).toMatchObject([{ binned: 600 }])
  } finally {
    await other.close()
  }
  const { token } = shop
  const audit = await server.call(readAudit, { token, params: { id: 'all' }, query: { search: 'purge' } })
  expect(audit.total).toBe(600)
})
