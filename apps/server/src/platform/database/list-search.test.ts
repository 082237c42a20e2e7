import { listDevices } from '@floorcast/contract/devices.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { listMedia } from '@floorcast/contract/media.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { isFound, searchAmong, text } from '@floorcast/testing/search-arbitrary.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidV7 } from '../lib/uuid-v7.ts'

const server = await wholeServer()
const client = await server.newClient()
const stranger = await server.newClient()
const { token } = client
const superuser = new Client({ connectionString: server.superuserUrl })
await superuser.connect()
afterAll(() => superuser.end())

interface Item {
  uid: string
  fields: string[]
}
const items = { devices: [], groups: [], media: [], playlists: [] } as Record<string, Item[]>

async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  await superuser.query(
    `insert into ${table} (${Object.keys(row).join(', ')}, created_at, changed_at)
     values (${Object.keys(row)
       .map((_, nr) => `$${nr + 1}`)
       .join(', ')}, now(), now())`,
    Object.values(row),
  )
}

/** An item with random texts, for this client and, its own, for another. */
async function make(list: string, { table, texts, more }: Made): Promise<string> {
  const uids = [uuidV7(), uuidV7()] as const
  await insert(table, { uid: uids[0], client_id: client.scope.clientId, ...texts, ...more })
  if (list !== 'devices')
    await insert(table, { uid: uids[1], client_id: stranger.scope.clientId, ...texts, ...more })
  items[list]?.push({ uid: uids[0], fields: Object.values(texts) })
  return uids[0]
}
interface Made {
  table: string
  texts: Record<string, string>
  more: Record<string, unknown>
}

beforeAll(async () => {
  const names = fc.sample(text(1, 12), { numRuns: 120, seed: 1 })
  const descriptions = fc.sample(text(0, 16), { numRuns: 120, seed: 2 })
  const groups: string[] = []
  for (const [nr, name] of names.entries()) {
    const texts = { name, description: descriptions[nr] ?? '' }
    const more = { kind: 'audio' }
    if (nr % 4 === 0) groups.push(await make('groups', { table: 'groups', texts, more }))
    await make('playlists', { table: 'playlists', texts, more })
    const originalName = `${name} ${nr}.mp3`
    const uid = await make('media', {
      table: 'media_items',
      texts: { ...texts, original_name: originalName },
      more: { content_type: 'melodies' },
    })
    await addFile(uid)
    const groupUid = nr % 3 === 0 ? (groups[nr % groups.length] ?? null) : null
    await make('devices', {
      table: 'devices',
      texts,
      more: { ...more, group_uid: groupUid, license_key: uid },
    })
    const group = items['groups']?.find(each => each.uid === groupUid)
    items['devices']?.at(-1)?.fields.push(group?.fields[0] ?? '')
  }
})

const addFile = (uid: string) =>
  superuser.query(
    `insert into media_files (media_uid, file_version, client_id, sha256, mime_type, size_bytes, duration_seconds,
       uploaded_at) values ($1, 1, $2, repeat('0', 64), 'audio/mpeg', 1, 1, now())`,
    [uid, client.scope.clientId],
  )

const LISTS = [
  ['devices', listDevices, {}],
  ['groups', listGroups, { x: 'all' }],
  ['media', listMedia, { contentType: 'melodies' }],
  ['playlists', listPlaylists, { x: 'all' }],
] as const

const search = (list: string) => searchAmong(items[list]?.flatMap(({ fields }) => fields) ?? [])

test.each(LISTS)(
  'a search of %s finds what a plain filter of the same rows finds',
  async (list, call, params) => {
    const all = items[list] ?? []
    let found = 0
    await fc.assert(
      fc.asyncProperty(search(list), async sought => {
        const answer = await server.call(call, { token, params, query: { search: sought, size: 200 } })
        const expected = all.filter(({ fields }) => isFound(sought, fields)).map(({ uid }) => uid)
        expect(answer.items.map(({ uid }) => uid).toSorted()).toEqual(expected.toSorted())
        expect(answer.total).toBe(expected.length)
        found += expected.length
      }),
      { numRuns: 150 },
    )
    // Most were pieces of what is there.
    expect(found).toBeGreaterThan(50)
  },
)

test.each(LISTS)('a search of %s finds nothing by what stands in no text', async (_, call, params) => {
  for (const sought of ['\u0000', 'a\u001fb', '\u001f', 'no such text anywhere'])
    expect(await server.call(call, { token, params, query: { search: sought } })).toMatchObject({
      total: 0,
    })
})

test.each(LISTS)('a search of %s by more than ten terms is refused with words', async (_, call, params) => {
  const search = Array.from({ length: 11 }, (__, nr) => `t${nr}`).join(' ')
  const answer = await server.ask(call, { token, params, query: { search } })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'search-terms', detail: 'A search has at most 10 terms.' })
})

test('a search finds devices by the names of the publication and playlist that their group plays', async () => {
  const { clientId } = client.scope
  const [group, playlist, device] = [uuidV7(), uuidV7(), uuidV7()]
  const named = { client_id: clientId, kind: 'audio' }
  await insert('groups', { uid: group, ...named, name: 'Quay' })
  await insert('playlists', { uid: playlist, ...named, name: 'Ночной эфир' })
  const links = { group_uid: group, playlist_uid: playlist, activated_at: new Date() }
  await insert('publications', { uid: uuidV7(), ...named, ...links, name: 'Weekend', state: 'active' })
  await insert('devices', { uid: device, ...named, group_uid: group, name: 'Sluice', license_key: device })
  for (const sought of ['quay', 'WEEKEND', 'эфир', 'weekend "НОЧНОЙ Э"', 'sluice quay weekend']) {
    const { items, total } = await server.call(listDevices, { token, query: { search: sought } })
    expect([items.map(({ uid }) => uid), total]).toEqual([[device], 1])
  }
  expect(await server.call(listDevices, { token, query: { search: 'sluice elsewhere' } })).toMatchObject({
    total: 0,
  })
})
