import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { importSmartPlaylist, type SmartBlock, type SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { blockOf, itemOf, recalculateTimes, shop as breached } from '@floorcast/testing/plan-breaches.ts'
import { planDraft } from '@floorcast/testing/smart-draft.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, type Shop } from '@floorcast/testing/test-shop.ts'
import { beforeAll, expect, test } from 'vitest'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from './smart-playlists-routes.ts'

const server = await testServer({ features: [registerPlaylists, registerSmartPlaylists] })
let shop: Shop
/** The three hours of plan-breaches.ts, with media of this client. */
let day: SmartDraft
beforeAll(async () => {
  shop = await newShop(server)
  const tracksOf = async (contentType: 'melodies' | 'ads', list: typeof breached.melList) => {
    const tracks: SmartDraft['melList'] = []
    for (const { duration } of list) {
      const name = `${contentType} ${tracks.length}`
      const { uid } = await makeMedia(shop.scope, { contentType, name, durationSeconds: duration })
      tracks.push({ uid, duration })
    }
    return tracks
  }
  const { type: _, melList, adsList, ...settings } = breached
  const lists = {
    melList: await tracksOf('melodies', melList),
    adsList: await tracksOf('ads', adsList),
  }
  day = planDraft(lists, { ...settings, crossfade: settings.crossfade ?? 0, minAdGap: 0 })
})

const send = (draft: object) => server.call(importSmartPlaylist, { token: shop.token, body: draft })

/** One track of a new media item that is so long. */
async function trackOf(contentType: 'melodies' | 'ads', durationSeconds: number, name = 'Another') {
  const { uid } = await makeMedia(shop.scope, { contentType, name, durationSeconds })
  return { uid, duration: durationSeconds }
}

/** The refusal of a draft by the planner. */
async function refusalOf(change: Partial<SmartDraft>) {
  const answer = await send({ ...day, ...change })
  expect(answer).toMatchObject({ code: 400, reason: 'plan-refused' })
  return answer.faults ?? []
}

test('a draft that the planner refuses hours that are equal', async () => {
  expect(await refusalOf({ endDay: '09:00', workTime: 0 })).toMatchObject([
    { path: 'endDay', code: 'times-equal' },
  ])
})

test('a draft that the planner refuses a working time that is not the window', async () => {
  expect(await refusalOf({ workTime: 86_400 })).toEqual([
    { path: 'workTime', code: 'work-time-differs', figures: { workTime: 86_400, window: 10_800 } },
  ])
})

test('a draft that the planner refuses targets that are no times', async () => {
  expect(await refusalOf({ melTime: -1, adsTime: 0 })).toMatchObject([
    { path: 'adsTime', code: 'target-invalid' },
    { path: 'melTime', code: 'target-invalid' },
  ])
})

test('a draft that the planner refuses lists without tracks', async () => {
  expect(await refusalOf({ melList: [], adsList: [] })).toMatchObject([
    { path: 'adsList', code: 'list-empty' },
    { path: 'melList', code: 'list-empty' },
  ])
})

test('a draft that the planner refuses tracks without a length, without a weight, twice in a list, longer than the window', async () => {
  const long = await trackOf('ads', 10_801, 'Endless ad')
  const [none, light, twice] = day.adsList
  const adsList = [
    { uid: none?.uid ?? '', duration: 0 },
    { uid: light?.uid ?? '', duration: 12, weight: 0 },
    { uid: twice?.uid ?? '', duration: 12 },
    { uid: twice?.uid ?? '', duration: 12 },
    long,
  ]
  expect(await refusalOf({ adsList })).toMatchObject([
    { path: 'adsList.0', code: 'duration-invalid', name: 'ads 0' },
    { path: 'adsList.1', code: 'weight-invalid', name: 'ads 1' },
    { path: 'adsList.3', code: 'track-twice', name: 'ads 2' },
    {
      path: 'adsList.4',
      code: 'longer-than-window',
      name: 'Endless ad',
      figures: { duration: 10_801, window: 10_800 },
    },
  ])
})

test('a draft that the planner refuses content of less than a second', async () => {
  const melList = [await trackOf('melodies', 0.4)]
  expect(await refusalOf({ melList })).toMatchObject([{ path: 'melList', code: 'too-short' }])
})

test('a draft that the planner refuses background far beyond its air time', async () => {
  const melList = []
  for (let n = 0; n < 11; n++) melList.push(await trackOf('melodies', 10_000))
  expect(await refusalOf({ melList })).toMatchObject([{ path: 'melList', code: 'background-far-beyond' }])
})

test('a draft that the planner refuses more ads than are heard: which of them are not', async () => {
  const adsList = [...day.adsList]
  for (let n = 0; n < 5; n++) adsList.push(await trackOf('ads', 2000, `Long ad ${n}`))
  const [list, ...unheard] = await refusalOf({ adsList })
  expect(list).toMatchObject({ path: 'adsList', code: 'ads-beyond-air-time' })
  expect(unheard.length).toBeGreaterThan(0)
  for (const { path, code, name } of unheard) {
    expect([path, code]).toEqual([expect.stringMatching(/^adsList\.\d$/), 'ads-beyond-air-time'])
    expect(name).toMatch(/ad/i)
  }
})

test('a draft that the planner refuses an ad whose weight gives it less than one play', async () => {
  const [light, ...rest] = day.adsList
  const adsList = [
    { uid: light?.uid ?? '', duration: 12, weight: 0.0001 },
    ...rest.map(ad => ({ ...ad, weight: 10 })),
  ]
  const faults = await refusalOf({ adsList })
  expect(faults).toMatchObject([{ path: 'adsList.0', code: 'ad-share-under-one', name: 'ads 0' }])
  expect(faults[0]?.figures?.['plays']).toBeLessThan(1)
})

type Blocks = SmartBlock[]
const moveFirst = (blocks: Blocks, from: number, to: number) => {
  const [moved] = blockOf(blocks, from).items.splice(0, 1)
  if (moved) blockOf(blocks, to).items.push(moved)
  return recalculateTimes(blocks)
}
const dropTail = (blocks: Blocks) => {
  blocks.pop()
  blocks.at(-1)?.items.pop()
  return recalculateTimes(blocks)
}
const exchangeSoon = (blocks: Blocks) => {
  const { items } = blockOf(blocks, 3)
  const again = items.findIndex(({ uid }) => uid === itemOf(blocks, 1, 4).uid)
  const [first, second] = [itemOf(blocks, 3, 0), itemOf(blocks, 3, again)]
  items[0] = second
  items[again] = first
  return recalculateTimes(blocks)
}
const breaches: [what: string, place: object, change: (blocks: Blocks) => Blocks | void][] = [
  [
    'a play that is moved',
    { rule: 1, path: 'finishList.2.items.1', code: 'start-differs', name: /melodies/ },
    blocks => void (itemOf(blocks, 2, 1).start += 0.5),
  ],
  [
    'a play of another length',
    { rule: 1, path: 'finishList.1.items.0', code: 'duration-differs', name: /ads/ },
    blocks => void (itemOf(blocks, 1, 0).duration += 1),
  ],
  [
    'a play of a track that is on no list',
    { rule: 1, path: 'finishList.0.items.2', code: 'unknown-track' },
    blocks => void (itemOf(blocks, 0, 2).uid = '01933d4e-0000-7000-8000-00000000000f'),
  ],
  [
    'a block of another length',
    { rule: 1, path: 'finishList.1', code: 'block-differs' },
    blocks => void (blockOf(blocks, 1).duration += 1),
  ],
  [
    'blocks in another order',
    { rule: 1, path: 'finishList.0', code: 'not-alternating' },
    blocks => recalculateTimes(blocks.slice(1)),
  ],
  [
    'a block without plays',
    { rule: 1, path: 'finishList.1', code: 'empty-block' },
    blocks => void (blockOf(blocks, 1).items = []),
  ],
  [
    'what goes on after the window',
    { rule: 1, path: 'finishList', code: 'outside-window' },
    blocks => recalculateTimes([...blocks, blockOf(blocks, 0), blockOf(blocks, 1)]),
  ],
  [
    'a block that is not the whole short list',
    { rule: 2, path: 'finishList.1', code: 'not-whole-list' },
    blocks => {
      blockOf(blocks, 1).items.pop()
      return recalculateTimes(blocks)
    },
  ],
  [
    'a block far from its target',
    { rule: 3, path: 'finishList.0', code: 'far-from-target' },
    blocks => moveFirst(blocks, 2, 0),
  ],
  [
    'an ad heard twice before another is heard',
    { rule: 4, path: 'finishList.1.items.3', code: 'uneven-plays', name: /ads/ },
    blocks => void (itemOf(blocks, 1, 3).uid = itemOf(blocks, 1, 1).uid),
  ],
  [
    'an ad heard again too soon',
    { rule: 5, path: 'finishList.3.items.0', code: 'too-soon', name: /ads/ },
    exchangeSoon,
  ],
  [
    'an idle tail where something still fits',
    { rule: 6, path: 'finishList', code: 'long-tail', name: /melodies|ads/ },
    dropTail,
  ],
  ['no plan at all', { rule: 6, path: 'finishList', code: 'long-tail' }, () => []],
]

test.each(breaches)('a plan that breaks a rule %s', async (_, place, change) => {
  const blocks = structuredClone(day.finishList)
  const answer = await send({ ...day, finishList: change(blocks) ?? blocks })
  expect(answer).toMatchObject({ code: 400, reason: 'plan-breaks-rules' })
  const wanted = Object.fromEntries(
    Object.entries(place).map(([field, value]): [string, unknown] => [
      field,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  )
  expect(answer.faults).toContainEqual(expect.objectContaining(wanted))
})

const ask = (payload: string) =>
  server.http.app.inject({
    method: 'POST',
    url: '/playlist/import',
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
    payload,
  })

test('a body that is no draft not JSON: the place', async () => {
  const text = JSON.stringify(day)
  const cut = await ask(text.slice(0, 500))
  expect([cut.statusCode, cut.json<{ detail: string }>().detail]).toEqual([
    400,
    expect.stringMatching(/position 500/),
  ])
  const broken = await ask(text.replace('"seed":1', '"seed":one'))
  expect([broken.statusCode, broken.json<{ detail: string }>().detail]).toEqual([
    400,
    expect.stringContaining('"seed":one'),
  ])
})

test('a body that is no draft nested without end: the place', async () => {
  const deep = await ask(`{"finishList":${'['.repeat(1_000_000)}`)
  expect([deep.statusCode, deep.json<{ detail: string }>().detail]).toEqual([
    400,
    'Nested deeper than 32 levels at character 46',
  ])
  const note = JSON.stringify({ ...day, deviceFilter: [[[[[[[[[[1]]]]]]]]]] })
  expect((await ask(note)).json()).toMatchObject({
    errors: [{ path: 'deviceFilter', message: 'too-deep' }],
  })
})

test('a body that is no draft over 16 MiB: 413; a little less is read', async () => {
  const padded = (bytes: number) => JSON.stringify({ ...day, seed: 'x'.repeat(bytes) })
  expect((await ask(padded(16 * 1024 * 1024))).statusCode).toBe(413)
  expect((await ask(padded(15 * 1024 * 1024))).statusCode).toBe(422)
})

test.each([
  ['a name of two characters', { smartPlName: 'ab' }, 'smartPlName', 'too-short'],
  ['a name with signs', { smartPlName: 'a<b>c' }, 'smartPlName', 'special-characters'],
  ['a description of two', { smartPlDescr: 'ab' }, 'smartPlDescr', 'too-short'],
  ['another type', { playlistType: 'radio' }, 'playlistType', 'wrong'],
  ['no list', { melList: undefined }, 'melList', 'empty'],
  ['a list that is none', { adsList: {} }, 'adsList', 'wrong'],
  ['a uid that is none', { adsList: [{ uid: 'x', duration: 1 }] }, 'adsList.0.uid', 'wrong'],
  ['a track without duration', { adsList: [{ uid: breached.seed }] }, 'adsList.0.duration', 'empty'],
  ['a block of another kind', { finishList: [{ kind: 'news' }] }, 'finishList.0.kind', 'wrong'],
  ['an hour that is none', { startDay: '24:00' }, 'startDay', 'time-of-day'],
  ['a crossfade of a minute', { crossfade: 60 }, 'crossfade', 'crossfade'],
  ['a crossfade below nothing', { crossfade: -1 }, 'crossfade', 'crossfade'],
  ['progress over a hundred', { uploadingProgress: 101 }, 'uploadingProgress', 'wrong'],
  ['a seed that is no number', { seed: null }, 'seed', 'empty'],
])('a body that is no draft %s: 422 at its place', async (_, change, ...[path, message]) => {
  const answer = await server.ask(importSmartPlaylist, { token: shop.token, body: { ...day, ...change } })
  const errors: unknown = expect.arrayContaining([expect.objectContaining({ path, message })])
  expect(answer.json()).toMatchObject({ status: 422, errors })
})

test('nothing came of any of them', async () => {
  const { total } = await server.call(listPlaylists, { token: shop.token, params: { x: 'all' } })
  expect(total).toBe(0)
})
