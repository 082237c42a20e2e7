import type { Problem } from '@floorcast/contract/problem.ts'
import { importTags } from '@floorcast/contract/tag-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { changedTables, watchTables } from '@floorcast/testing/table-checksums.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, it } from 'vitest'
import { registerTags } from './tags-routes.ts'

const server = await testServer({ hasOwnDatabase: true, features: [registerTags] })
const [shop, other] = [await newShop(server), await newShop(server)]
const { uid: device } = await makeDevice(shop.scope, { name: 'Tram stop' })
const { uid: foreign } = await makeDevice(other.scope)
const look = await watchTables(server.superuserUrl)

/** The refusal of an import of this text; nothing of it may be stored. */
async function refusal(payload: string) {
  const before = await look()
  const answer = await server.http.app.inject({
    method: 'POST',
    url: importTags.path,
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
    payload,
  })
  expect(changedTables(before, await look())).toEqual([])
  const { detail, errors } = answer.json<Problem>()
  return { status: answer.statusCode, told: errors ?? detail }
}

const good = JSON.stringify({ contentType: 'device', uid: device, key: 'city', value: 'Oslo' })
const many = (entry: string, count: number) => `[${Array(count).fill(entry).join()}]`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

it.each([
  ['a comma too many', `[${good},]`, "Unexpected token ']'"],
  ['half of it', `[${good}, {"contentType": `, 'Unexpected end of JSON input'],
  ['a key without quotes', `[${good}, {contentType: 1}]`, 'at position'],
  [
    'a list 100,000 deep',
    `[${good}, {"value": ${nested(100_000)}}]`,
    'Nested deeper than 32 levels at character',
  ],
  ['a web page', '<html></html>', "Unexpected token '<'"],
])('what is no JSON is told where: %s', async (_, text, place) => {
  const { status, told } = await refusal(text)
  expect(status).toBe(400)
  expect(told).toContain(place)
})

it.each([
  ['one item', good, '', 'wrong'],
  ['a number', '7', '', 'wrong'],
  ['an empty list', '[]', '', 'empty'],
  ['a list in the list', `[${good}, []]`, '1', 'wrong'],
  ['null', `[${good}, null]`, '1', 'empty'],
  [
    'a level that is none',
    `[${good}, {"contentType": "shop", "key": "city", "value": "Oslo"}]`,
    '1.contentType',
    'wrong',
  ],
  ['no value', `[${good}, {"contentType": "client", "key": "city"}]`, '1.value', 'empty'],
  ['nobody named', `[${good}, {"contentType": "device", "key": "city", "value": "Oslo"}]`, '1.uid', 'empty'],
  [
    'a value that does not fit',
    `[${good}, {"contentType": "client", "key": "volume", "value": "loud"}]`,
    '1.value',
    'volume',
  ],
  [
    'no uid',
    `[${good}, {"contentType": "device", "uid": "7", "key": "city", "value": "Oslo"}]`,
    '1.uid',
    'wrong',
  ],
  [
    'an unknown uid',
    `[${good}, ${good.replace(device, '01933d4e-0000-7000-8000-00000000000f')}]`,
    '1.uid',
    'unknown',
  ],
  ['another client’s uid', `[${good}, ${good.replace(device, foreign)}]`, '1.uid', 'unknown'],
  ['a key twice for one item', `[${good}, ${good.replace('Oslo', 'Bergen')}]`, '1.key', 'twice'],
  [
    'a key twice, once by the name',
    `[${good}, {"contentType": "device", "name": "Tram stop", "key": "city", "value": "Rome"}]`,
    '1.key',
    'twice',
  ],
  ['10,001 entries', many(good, 10_001), '', 'too-many'],
])('of the wrong shape is told at which entry: %s', async (...[, text, path, message]) => {
  expect(await refusal(text)).toMatchObject({ status: 422, told: [{ path, message }] })
})

it('too large is told the limit', async () => {
  const { status, told } = await refusal(`["${'x'.repeat(5 * 1024 * 1024)}"]`)
  expect([status, told]).toEqual([413, 'The largest body that this call takes is 5242880 bytes.'])
})
