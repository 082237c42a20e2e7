import { listPlaylists, readPlaylistSource } from '@floorcast/contract/playlists.ts'
import { importSmartPlaylist, type SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { planned } from '@floorcast/testing/planned.ts'
import { makeLists, planDraft } from '@floorcast/testing/smart-draft.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, test } from 'vitest'
import { registerLibrary } from '../../library.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from './smart-playlists-routes.ts'

const server = await testServer({ features: [registerLibrary, registerPlaylists, registerSmartPlaylists] })
const shop = await newShop(server)
const lists = await makeLists(shop.scope)

const send = (draft: object) => server.call(importSmartPlaylist, { token: shop.token, body: draft })
const draftOf = () => planDraft(lists)
const countPlaylists = async () =>
  (await server.call(listPlaylists, { token: shop.token, params: { x: 'all' } })).total
const storedPlan = async (id: string) =>
  (await server.call(readPlaylistSource, { token: shop.token, params: { id } })).draft?.finishList

test('a draft without a plan is planned as the wizard would, also with seconds and seed of the server', async () => {
  const { finishList, ...rest } = draftOf()
  const made = await send(rest)
  expect(made).toMatchObject({ code: 200, seed: 1 })
  expect(await storedPlan(made.uid ?? '')).toEqual(finishList)

  const { workTime: _, seed: __, ...bare } = rest
  const drawn = await send(bare)
  expect(drawn.code).toBe(200)
  const { blocks } = planned({ ...draftOf(), type: 'audio-smart', seed: drawn.seed ?? 0 })
  expect(await storedPlan(drawn.uid ?? '')).toEqual(blocks)
})

test.each<[string, Partial<SmartDraft>, object]>([
  ['an empty list', { adsList: [] }, { path: 'adsList', code: 'list-empty' }],
  ['seconds of another window', { workTime: 60 }, { path: 'workTime', code: 'work-time-differs' }],
  ['a separation that no plan keeps', { minAdGap: 3000 }, { path: 'minAdGap', code: 'ad-gap-too-long' }],
  [
    'tracks of no length',
    { adsList: [{ uid: uuidV7(), duration: 1e-9 }] },
    { path: 'adsList', code: 'too-short' },
  ],
])('a draft without a plan is refused with its reason: %s', async (_, given, fault) => {
  const before = await countPlaylists()
  const { finishList: __, ...rest } = { ...draftOf(), ...given }
  const answer = await send(rest)
  expect(answer).toMatchObject({ code: 400, reason: 'plan-refused' })
  expect(answer.faults?.[0]).toMatchObject(fault)
  expect(await countPlaylists()).toBe(before)
})
