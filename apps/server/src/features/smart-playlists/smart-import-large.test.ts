import { readPlaylistSource } from '@floorcast/contract/playlists.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { importSmartPlaylist, type SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { makeLists, planDraft } from '@floorcast/testing/smart-draft.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, test } from 'vitest'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from './smart-playlists-routes.ts'

/* Imports that workers parse and validate. */

const server = await testServer({ features: [registerPlaylists, registerSmartPlaylists] })
const shop = await newShop(server)
const lists = await makeLists(shop.scope)
const { token } = shop

/** A whole day in blocks of some seconds: about 5,000 plays. */
const longDay = (given: Partial<SmartDraft> = {}) =>
  planDraft(lists, { startDay: '00:00', endDay: '23:59', ...given })
const send = (body: object) => server.ask(importSmartPlaylist, { token, body })
const problemOf = async (body: object | string) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const url = importSmartPlaylist.path
  const answer = await server.http.app.inject({ method: 'POST', url, headers, payload })
  const { detail, errors } = answer.json<Problem>()
  return [answer.statusCode, errors ?? detail]
}

test('a long day is stored as it was sent', async () => {
  const sent = longDay({ deviceFilter: { open: ['north'] } })
  expect(JSON.stringify(sent).length).toBeGreaterThan(256 * 1024)
  const { uid = '' } = await server.call(importSmartPlaylist, { token, body: sent })
  const { draft } = await server.call(readPlaylistSource, { token, params: { id: uid } })
  expect(draft).toMatchObject({
    finishList: sent.finishList,
    deviceFilter: { open: ['north'] },
    melList: sent.melList,
    adsList: sent.adsList,
  })
})

test('a long day without a seed gets one', async () => {
  const { seed: _, ...unseeded } = longDay()
  const { uid = '', seed } = await server.call(importSmartPlaylist, { token, body: unseeded })
  expect(seed).toEqual(expect.any(Number))
  const { draft } = await server.call(readPlaylistSource, { token, params: { id: uid } })
  expect(draft?.seed).toBe(seed)
})

test('a long day with a wrong plan is refused with the places of its faults, at most a hundred', async () => {
  const day = longDay()
  const finishList = day.finishList.map(block => ({ ...block, start: block.start + 1 }))
  const answer = (await send({ ...day, finishList })).json<{ data: { reason: string; faults: unknown[] } }>()
  expect(answer.data).toMatchObject({ code: 400, reason: 'plan-breaks-rules' })
  expect(answer.data.faults.length).toBeLessThanOrEqual(100)
})

test('a large body is refused as a small one is', async () => {
  const day = longDay()
  const [status, errors] = await problemOf({ ...day, crossfade: 11, smartPlName: '' })
  expect([status, errors]).toEqual([
    422,
    expect.arrayContaining([expect.objectContaining({ path: 'crossfade', message: 'crossfade' })]),
  ])
  const broken = JSON.stringify(day).slice(0, -1)
  expect(await problemOf(broken)).toEqual([400, expect.stringContaining('JSON')])
  expect(await problemOf(`${'['.repeat(40)}${' '.repeat(100_000)}`)).toEqual([
    400,
    'Nested deeper than 32 levels at character 33',
  ])
  const wrong = { ...day, finishList: Array.from({ length: 20_000 }, () => ({})) }
  const [, many] = await problemOf(wrong)
  expect(many).toHaveLength(1000)
  expect(await problemOf({ ...day, deviceFilter: { notes: 'x'.repeat(300_000) } })).toMatchObject([
    422,
    [{ path: 'deviceFilter', message: 'too-long' }],
  ])
})

test('several clients import at once, and each gets its own day', async () => {
  const shops = await Promise.all(Array.from({ length: 5 }, () => newShop(server)))
  const days = await Promise.all(
    shops.map(async (one, seed) => {
      const own = planDraft(await makeLists(one.scope), { startDay: '00:00', endDay: '23:59', seed })
      const { uid = '' } = await server.call(importSmartPlaylist, { token: one.token, body: own })
      const { draft } = await server.call(readPlaylistSource, { token: one.token, params: { id: uid } })
      return [draft?.finishList, own.finishList]
    }),
  )
  for (const [stored, sent] of days) expect(stored).toEqual(sent)
})
