import { addDevice, listDevices } from '@floorcast/contract/devices.ts'
import { addGroup, listGroups } from '@floorcast/contract/groups.ts'
import { listMedia } from '@floorcast/contract/media.ts'
import { makeDevice, makeGroup, makeMedia } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'

const server = await wholeServer()
const shop = await server.newClient()
const { token, scope } = shop

const sorted = [
  'Æbeltoft',
  'Álamo',
  'Alba',
  'ÁLBUM 2',
  'album 10',
  'Ｂｅｔａ',
  'beta 9',
  'Ｂｅｔａ １１',
  'Beta 100',
  'Beta 4006381333930',
  'beta 40063813339300',
  'Floor 2 room 9',
  'floor 2 room 10',
  'Floor 10 room 1',
  'Łódź',
  'Lublin',
  'Nube',
  'Núria',
  'Ñandú',
  'Öl 1',
  'Oslo',
  'Østerbro 1',
  'Ostrava',
  'Straße 7',
  'STRASSE 11',
  'Zug',
  'Абрикос',
  'Гірка',
  'Ґорґани',
  'Еда 2',
  'ёлка 9',
  'Ёлка 10',
  'Єнакієве',
  'Житомир',
  'Ива',
  'Івано',
  'Їжак',
  'Йод',
  'Яма',
  'Яремче',
  'فرع ٩',
  'فرع ١٠',
  '安徽',
  '北京',
  '重庆',
  '第9店',
  '第10店',
  '上海',
  '沈阳',
]

const lists = {
  devices: (query: object) => server.call(listDevices, { token, query }),
  media: (query: object) => server.call(listMedia, { token, params: { contentType: 'melodies' }, query }),
  groups: (query: object) => server.call(listGroups, { token, params: { x: 'all' }, query }),
}
const listNames = Object.keys(lists) as (keyof typeof lists)[]

beforeAll(async () => {
  // Neither the order of creation nor that of the uids is the names'.
  for (const name of sorted.toSorted((one, other) => [...one].length - [...other].length)) {
    await makeDevice(scope, { name })
    await makeMedia(scope, { name })
    await makeGroup(scope, { name })
  }
})

/** All pages of a list, one after the other. */
async function namesOf(list: keyof typeof lists, query: object): Promise<string[]> {
  const names: string[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await lists[list]({ sort: 'name', page, size: 4, ...query })
    names.push(...items.map(({ name }) => name))
    if (page * 4 >= total) return names
  }
}

describe.each(listNames)('%s by name', list => {
  test('stand as readers of all nine languages look for them, numbers by value, on all pages', async () => {
    expect(await namesOf(list, { dir: 'asc' })).toEqual(sorted)
    expect(await namesOf(list, { dir: 'desc' })).toEqual(sorted.toReversed())
  })

  test('stand so in a search too', async () => {
    expect(await namesOf(list, { search: 'beta' })).toEqual(
      sorted.filter(name => name.normalize('NFKC').toLowerCase().startsWith('beta')),
    )
  })
})

const alike = ['Éclair 7', 'eclair 07', 'ECLAIR 7', 'eclair ７', 'Eclair 007']

test('names that the order finds equal stand by uid, each once', async () => {
  const uids: string[] = []
  for (const name of alike) uids.push(await makeGroup(scope, { name }))
  const names = async (dir: string) => namesOf('groups', { search: 'eclair', dir })
  const byUid = uids.toSorted().map(uid => alike[uids.indexOf(uid)])
  expect(await names('asc')).toEqual(byUid)
  expect(await names('desc')).toEqual(byUid.toReversed())
})

test.each([
  ['digits at every second place', 'a1'.repeat(25)],
  ['digits alone', '9'.repeat(50)],
  ['letters of eighteen', 'ﷺ'.repeat(50)],
  ['letters of four bytes and digits', '𠀀9'.repeat(25)],
])('the longest names of %s can be stored', async (_, name) => {
  const other = await server.newClient()
  const call = { token: other.token, params: { contentType: 'audio' as const }, body: { name } }
  expect(await server.call(addDevice, call)).toMatchObject({ code: 200 })
  expect(await server.call(addGroup, call)).toMatchObject({ code: 200 })
})

const rowsOf = <Row extends object>(sql: string, values: unknown[]) =>
  asSuperuser(server.superuserUrl, async superuser => (await superuser.query<Row>(sql, values)).rows)
/** Texts of few characters, so that digits stand beside each other, and each beside the others. */
const texts = (characters: string[], maxLength: number) =>
  fc.sample(fc.string({ unit: fc.constantFrom(...characters), maxLength }), 400)

test('the sort key is the same by the shortcuts for ASCII', async () => {
  const ascii = texts(['a', 'Z', ' ', '.', '0', '0', '1', '9'], 16)
  const different = await rowsOf(
    'select text from unnest($1::text[]) text where sort_key(text) <> build_sort_key(text)',
    [[...ascii, 'shop', 'Shop 1', 'Shop 00000001', 'Shop 12345678', 'Shop 123456789', 'x'.repeat(601)]],
  )
  expect(different).toEqual([])
})

test('the sort key is part of the statement, as long as all in it is immutable', async () => {
  const plan = await rowsOf('explain verbose select sort_key(name) from groups', [])
  expect(JSON.stringify(plan)).toContain('lower(')
})

test('the sort key has the order of whole numbers, however long', async () => {
  const digits = texts([...'0012345678999'], 40).filter(text => text !== '')
  const rows = await rowsOf<{ text: string }>(
    `select text from unnest($1::text[]) text
       order by sort_key('Shop ' || text || ' north') collate "C", ltrim(text, '0'), text`,
    [digits],
  )
  const values = rows.map(({ text }) => BigInt(text))
  expect(values).toEqual(values.toSorted((one, other) => Number(one > other) - Number(one < other)))
})

test('the sort key fits an entry of an index', async () => {
  const long = texts(['ﷺ', '𠀀', '1', 'é', '９'], 255)
  const [row] = await rowsOf<{ bytes: number }>(
    'select max(octet_length(sort_key(text))) as bytes from unnest($1::text[]) text',
    [[...long, 'ﷺ'.repeat(255), '𠀀'.repeat(700), 'x'.repeat(3000)]],
  )
  expect(row?.bytes).toBe(2400)
})
