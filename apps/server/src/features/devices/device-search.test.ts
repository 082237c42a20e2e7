import { listDevices } from '@floorcast/contract/devices.ts'
import { isFound, searchAmong, text } from '@floorcast/testing/search-arbitrary.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerDevices } from './devices-routes.ts'

/* A device is found by its own texts and by the names of its group and of what that plays, whichever term stands where. */

const server = await testServer({ hasOwnDatabase: true, features: [registerDevices] })
const client = await server.newClient()
const superuser = new Client({ connectionString: server.superuserUrl })
await superuser.connect()
afterAll(() => superuser.end())

const { clientId } = client.scope
const names = fc.sample(text(2, 10), { numRuns: 400, seed: 3 }).values()
const nextName = () => names.next().value ?? 'no more'
const minutes = (count: number) => new Date(Date.now() + count * 60_000)

async function insert(table: string, row: Record<string, unknown>): Promise<string> {
  const whole = { uid: uuidV7(), client_id: clientId, kind: 'audio', name: nextName(), ...row }
  const values = Object.keys(whole).map((_, nr) => `$${nr + 1}`)
  await superuser.query(
    `insert into ${table} (${Object.keys(whole).join(', ')}, created_at, changed_at) values (${values.join(', ')}, now(), now())`,
    Object.values(whole),
  )
  return whole.uid
}

/** On, off, waiting, begun, or a begun one behind which the former is still stored as on. */
const MIXES = [
  ['active'],
  ['disabled'],
  ['waiting'],
  ['active', 'waiting'],
  ['active', 'begun'],
  ['begun'],
  [],
]

async function publish(groupUid: string, playing: string): Promise<void> {
  const state = playing === 'waiting' || playing === 'begun' ? 'delayed' : playing
  await insert('publications', {
    group_uid: groupUid,
    playlist_uid: await insert('playlists', {}),
    state,
    activated_at: state === 'disabled' ? null : new Date(),
    starts_at: state === 'delayed' ? minutes(playing === 'begun' ? -5 : 5) : null,
  })
}

beforeAll(async () => {
  for (const mix of [...MIXES, ...MIXES, ...MIXES]) {
    const groupUid = await insert('groups', {})
    for (const playing of mix) await publish(groupUid, playing)
    for (const group_uid of [groupUid, groupUid, null])
      await insert('devices', {
        description: nextName(),
        store_number: nextName(),
        group_uid,
        license_key: uuidV7(),
      })
  }
})

const listed = async (query: object) => {
  const { items, total } = await server.call(listDevices, {
    token: client.token,
    query: { size: 200, ...query },
  })
  return { items, total }
}

/** Searches find what a plain filter finds of the rows that the list shows without one. */
async function expectPlainFinds(numRuns: number): Promise<void> {
  const { items } = await listed({})
  const rows = items.map(({ uid, name, description, storeNumber, group, publication, playlist }) => ({
    uid,
    fields: [
      name,
      description,
      storeNumber,
      group?.name ?? '',
      publication?.name ?? '',
      playlist?.name ?? '',
    ],
  }))
  const ofOneRow = fc
    .constantFrom(...rows)
    .chain(({ fields }) => fc.tuple(searchAmong([fields[0] ?? '']), searchAmong(fields)))
    .map(terms => terms.join(' '))
  let found = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(ofOneRow, searchAmong(rows.flatMap(({ fields }) => fields))), async search => {
      const expected = rows.filter(({ fields }) => isFound(search, fields)).map(({ uid }) => uid)
      const answer = await listed({ search })
      expect(answer.items.map(({ uid }) => uid).toSorted()).toEqual(expected.toSorted())
      expect(answer.total).toBe(expected.length)
      found += expected.length
    }),
    { numRuns },
  )
  expect(found).toBeGreaterThan(numRuns / 4)
}

test('a search finds what a plain filter of all rows finds', async () => {
  const { items } = await listed({})
  expect(items.filter(({ playlist }) => playlist !== null)).toHaveLength(24)
  await expectPlainFinds(200)
})

test.each([
  ['groups are renamed', 'update groups set name = name || $1'],
  ['publications are renamed', 'update publications set name = name || $1'],
  ['playlists are renamed', 'update playlists set name = $1 || name'],
  [
    'publications get other playlists',
    `update publications p set playlist_uid =
       (select uid from playlists l where l.client_id = p.client_id order by md5($1 || l.uid || p.uid) limit 1)`,
  ],
  [
    'those that are on are turned off, those off on',
    `update publications set name = $1 || name, state = case state when 'active' then 'disabled' else 'active' end,
       activated_at = case state when 'active' then null else now() end
     where state <> 'delayed' and group_uid in (select group_uid from publications group by 1 having count(*) = 1)`,
  ],
])('and so when %s', async (_, statement) => {
  await superuser.query(statement, [nextName()])
  await expectPlainFinds(60)
})

test.each([
  ['Málaga Centro', 'malaga CENTRO'],
  ['Malaga', 'Málaga'],
  ['Café (Mac)', 'cafe\u0301'],
  ['Кофейня Ёлка', 'кофеиня елка'],
  ['مُطعم', 'مطعم'],
  ['Ｓｈｏｐ ９', 'shop 9'],
  ['Łódź', 'LODZ'],
  ['Gdańsk Długa', 'gdansk dluga'],
  ['Tromsø', 'tromso'],
  ['Strøget', 'STROGET'],
  ['Odense Vesterbrogade Ærø', 'aero'],
  ['Freie Straße', 'STRASSE'],
  ['Basel Strasse', 'straße'],
  ['Đakovo', 'dakovo'],
  ['Œuvre', 'oeuvre'],
  ['Ísafjörður', 'isafjordur'],
  ['Þingvellir', 'thingvellir'],
  ['Iğdır', 'IGDIR'],
  ['İzmir', 'izmir'],
  ['Bakı Gənclik', 'baki genclik'],
  ['ΟΔΟΣ', 'οδός'],
  ['οδός', 'ΟΔΟΣ'],
  ['П’ять хвилин', "п'ять"],
  ['A–Z', 'a-z'],
])('%s is found by %s', async (name, search) => {
  await insert('devices', { name, license_key: uuidV7() })
  expect((await listed({ search })).items.map(device => device.name)).toContain(name)
})

test('and so when those that wait begin', async () => {
  const before = await listed({})
  server.clock.now = minutes(10)
  expect((await listed({})).items).not.toEqual(before.items)
  await expectPlainFinds(60)
})
