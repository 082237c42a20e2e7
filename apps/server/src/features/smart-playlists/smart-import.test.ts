import { readAudit } from '@floorcast/contract/audit.ts'
import { deleteMedia } from '@floorcast/contract/media.ts'
import {
  changePlaylistState,
  clonePlaylist,
  editPlaylist,
  listPlaylists,
  readPlaylist,
  readPlaylistSource,
} from '@floorcast/contract/playlists.ts'
import { importSmartPlaylist, type SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { makeLists, planDraft } from '@floorcast/testing/smart-draft.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, type Shop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeEach, expect, test } from 'vitest'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from './smart-playlists-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

const server = await testServer({
  features: [registerLibrary, registerPlaylists, registerSmartPlaylists, registerAudit],
})
let shop: Shop
let lists: Awaited<ReturnType<typeof makeLists>>
beforeEach(async () => {
  shop = await newShop(server)
  lists = await makeLists(shop.scope)
})

const send = (draft: object) => server.call(importSmartPlaylist, { token: shop.token, body: draft })
const listed = async () =>
  (await server.call(listPlaylists, { token: shop.token, params: { x: 'all' } })).items
const draftOf = (given: Partial<SmartDraft> = {}) => planDraft(lists, given)

/** Sends a draft that must be refused, and checks that nothing was stored. @returns the faults of the answer */
async function refused(draft: SmartDraft, reason: string) {
  const answer = await send(draft)
  expect(answer).toMatchObject({ code: 400, reason })
  expect(await listed()).toEqual([])
  const { rows } = await shop.scope.reads
    .selectFrom('playlistBlocks')
    .select(eb => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  expect(rows).toBe(0)
  return { faults: answer.faults ?? [], names: answer.names ?? [] }
}

test('a draft with its plan becomes a smart playlist, paused, audited, with the plan as it was sent', async () => {
  const sent = draftOf({ deviceFilter: { open: ['north'] }, smartPlDescr: 'Ads: three an hour' })
  const { code, uid = '' } = await send(sent)
  expect(code).toBe(200)
  const plays = sent.finishList.reduce((sum, { items }) => sum + items.length, 0)
  const card = await server.call(readPlaylist, { token: shop.token, params: { id: uid } })
  expect(card).toMatchObject({
    name: 'Spring day',
    description: 'Ads: three an hour',
    form: 'smart',
    kind: 'audio',
    state: 'paused',
    itemCount: plays,
    planState: 'fits',
    smart: {
      startDay: '09:00',
      endDay: '10:00',
      windowSeconds: 3600,
      trackCount: 10,
      blockCount: sent.finishList.length,
      changedMedia: [],
    },
  })
  expect(await listed()).toMatchObject([{ uid, form: 'smart', itemCount: plays, planState: 'fits' }])
  const { draft } = await server.call(readPlaylistSource, { token: shop.token, params: { id: uid } })
  expect(draft).toEqual({
    ...sent,
    smartPlUid: uid,
    version: 1,
    melList: lists.melList.map(track => ({ ...track, weight: 1 })),
    adsList: lists.adsList.map(track => ({ ...track, weight: 1 })),
  })
  const audit = await server.call(readAudit, { token: shop.token, params: { id: uid } })
  expect(audit.items).toHaveLength(1)
  expect(JSON.stringify(audit.items[0])).toContain('import')
})

test('a draft with its plan needs no seed: the server draws one and answers it', async () => {
  const { seed: _, ...unseeded } = draftOf()
  const [one, other] = [await send(unseeded), await send({ ...unseeded, smartPlName: 'Summer day' })]
  expect(one).toMatchObject({ code: 200, seed: expect.any(Number) as number })
  expect(other.seed).not.toBe(one.seed)
  const draftNow = async () =>
    (await server.call(readPlaylistSource, { token: shop.token, params: { id: one.uid ?? '' } })).draft
  expect((await draftNow())?.seed).toBe(one.seed)
  const again = await send({ ...unseeded, smartPlUid: one.uid })
  expect(again).toMatchObject({ code: 200, uid: one.uid })
  expect((await draftNow())?.seed).toBe(again.seed)
  const given = await send(draftOf({ smartPlUid: one.uid ?? null, seed: 7 }))
  expect([given.seed, (await draftNow())?.seed]).toEqual([7, 7])
})

test('a draft with its plan of videos makes a video playlist; weights are kept', async () => {
  const melodies = await makeMedia(shop.scope, { contentType: 'videos', durationSeconds: 25 })
  const ads = [
    await makeMedia(shop.scope, { contentType: 'videosAds', durationSeconds: 10 }),
    await makeMedia(shop.scope, { contentType: 'videosAds', durationSeconds: 10 }),
  ]
  const adsList = ads.map(({ uid }, n) => ({ uid, duration: 10, weight: n + 1 }))
  const melList = [{ uid: melodies.uid, duration: 25 }]
  const { uid = '' } = await send(planDraft({ melList, adsList }, { playlistType: 'video-smart' }))
  const { draft } = await server.call(readPlaylistSource, { token: shop.token, params: { id: uid } })
  expect(draft).toMatchObject({ playlistType: 'video-smart', adsList })
  expect((await listed())[0]).toMatchObject({ kind: 'video' })
})

test('a draft with its plan is refused for view-only users', async () => {
  const { token } = await signedInUser(shop.scope, { role: 'manager', rights: 'view' })
  const answer = await server.ask(importSmartPlaylist, { token, body: draftOf() })
  expect(answer.statusCode).toBe(403)
  expect(await listed()).toEqual([])
})

test('a playlist planned again keeps its uid and takes the new plan; a stale version is refused', async () => {
  const { uid = '' } = await send(draftOf())
  const again = planDraft(
    { melList: lists.melList.slice(1), adsList: lists.adsList },
    { smartPlUid: uid, smartPlName: 'Summer day', seed: 2, version: 1 },
  )
  expect(await send(again)).toMatchObject({ code: 200, uid })
  const { draft } = await server.call(readPlaylistSource, { token: shop.token, params: { id: uid } })
  expect(draft).toMatchObject({ smartPlName: 'Summer day', finishList: again.finishList, version: 2 })
  const stale = await server.ask(importSmartPlaylist, { token: shop.token, body: again })
  expect(stale.statusCode).toBe(409)
  const params = { contentType: 'melodies' }
  const deleted = await server.call(deleteMedia, {
    token: shop.token,
    params,
    body: { uid: lists.melList[0]?.uid },
  })
  expect(deleted).toMatchObject({ code: 200 })
})

test('a playlist planned again must be there, smart, paused and of the same kind', async () => {
  const { uid = '' } = await send(draftOf())
  const unknown = draftOf({ smartPlUid: '01933d4e-0000-7000-8000-00000000000f' })
  const missing = await server.ask(importSmartPlaylist, { token: shop.token, body: unknown })
  expect(missing.statusCode).toBe(404)
  const simple = draftOf({ smartPlUid: await shop.emptyPlaylist() })
  expect(await send(simple)).toEqual({ code: 400, reason: 'only-smart-playlists' })
  expect(await send(draftOf({ smartPlUid: uid, playlistType: 'video-smart' }))).toMatchObject({
    reason: 'kind-does-not-fit',
  })
  await server.call(changePlaylistState, { token: shop.token, params: { id: uid } })
  expect(await send(draftOf({ smartPlUid: uid }))).toEqual({ code: 400, reason: 'active-cannot-be-edited' })
  const other = await newShop(server)
  const theirs = await server.ask(importSmartPlaylist, {
    token: other.token,
    body: planDraft(await makeLists(other.scope), { smartPlUid: uid }),
  })
  expect(theirs.statusCode).toBe(404)
})

/** A song and an ad of a second each, round the clock: too long to be judged between other calls. */
test('a long day is validated like any other', async () => {
  const [song, ad] = [
    await makeMedia(shop.scope, { durationSeconds: 1 }),
    await makeMedia(shop.scope, { contentType: 'ads', name: 'Jingle', durationSeconds: 1 }),
  ]
  const long = { melList: [{ uid: song.uid, duration: 1 }], adsList: [{ uid: ad.uid, duration: 1 }] }
  const hours = { startDay: '00:00', endDay: '23:59', melTime: 600, adsTime: 60 } as const
  const draft = planDraft(long, { ...hours, melMode: 'manual', adsMode: 'manual' })
  expect(draft.finishList.reduce((plays, { items }) => plays + items.length, 0)).toBe(86_400)
  const { code, uid } = await send(draft)
  expect(code).toBe(200)
  const copy = await server.call(clonePlaylist, { token: shop.token, params: { id: uid } })
  expect(copy.code).toBe(200)
  expect((await listed()).map(({ itemCount }) => itemCount)).toEqual([86_400, 86_400])
  const finishList = draft.finishList.slice(0, -1)
  expect(await send({ ...draft, finishList })).toMatchObject({ reason: 'plan-breaks-rules' })
})

const cardOf = (id: string) => server.call(readPlaylist, { token: shop.token, params: { id } })
const dates = { startDate: '2026-12-01', endDate: '2026-12-24' }

test('an edited version of one that is on the air is a new playlist with the dates of the original, which stays unchanged', async () => {
  const { uid = '' } = await send(draftOf())
  await server.call(editPlaylist, { token: shop.token, body: { uid, ...dates } })
  await shop.turnPlaylist(uid)
  const before = await cardOf(uid)
  const made = await send({ ...draftOf({ seed: 7, smartPlName: 'Spring again' }), editOf: uid })
  expect(made.code).toBe(200)
  const edited = { name: 'Spring again', state: 'paused', editOf: { uid, isInForce: false }, ...dates }
  expect(await cardOf(made.uid ?? '')).toMatchObject(edited)
  const edits = [{ uid: made.uid, name: 'Spring again' }]
  expect(await cardOf(uid)).toEqual({ ...before, edits })
  const copy = await server.call(clonePlaylist, { token: shop.token, params: { id: uid } })
  expect(await cardOf(copy.uid ?? '')).toMatchObject({ editOf: null, ...dates })
})

test('an edited version of one that is on the air is refused of none of this client, or when it is planned again', async () => {
  const ask = (body: object) => server.ask(importSmartPlaylist, { token: shop.token, body })
  const other = await newShop(server)
  const theirs = await other.playlist()
  expect((await ask({ ...draftOf(), editOf: theirs })).statusCode).toBe(404)
  expect(await listed()).toEqual([])
  const { uid = '' } = await send(draftOf())
  const both = await ask({ ...draftOf(), smartPlUid: uid, editOf: uid })
  expect(both.json()).toMatchObject({ status: 422, errors: [{ path: 'editOf', message: 'wrong' }] })
})

const times = Array.from({ length: 6 }, (_, n) => n)

test.each(times)(
  'two at once plan one playlist again: one plan is kept whole, the other is stale (%d)',
  async () => {
    const { uid = '' } = await send(draftOf())
    const drafts = [2, 3].map(seed => draftOf({ smartPlUid: uid, seed, version: 1 }))
    const answers = await Promise.all(
      drafts.map(body => server.ask(importSmartPlaylist, { token: shop.token, body })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ])
    const won = drafts[answers.findIndex(({ statusCode }) => statusCode === 200)]
    const { draft } = await server.call(readPlaylistSource, { token: shop.token, params: { id: uid } })
    expect(draft).toMatchObject({ seed: won?.seed, finishList: won?.finishList })
  },
)

test.each(times)('two at once import a draft and delete its ad: one of them is refused (%d)', async () => {
  const [ad] = lists.adsList
  const [made, deleted] = await Promise.all([
    send(draftOf()),
    server.call(deleteMedia, {
      token: shop.token,
      params: { contentType: 'ads' },
      body: { uid: ad?.uid },
    }),
  ])
  const end = `${made.code} ${made.reason} ${deleted.code}`
  expect(['200 undefined 921', '400 media-not-as-planned 200']).toContain(end)
})

test('media that are not as planned are named of another client, of the wrong kind, in the bin, of another duration', async () => {
  const stranger = await newShop(server)
  const foreign = await makeMedia(stranger.scope, { contentType: 'ads', durationSeconds: 10 })
  const ad = await makeMedia(shop.scope, { contentType: 'ads', name: 'An ad', durationSeconds: 20 })
  const binned = await makeMedia(shop.scope, { name: 'Binned tune', durationSeconds: 20 })
  await server.call(deleteMedia, {
    token: shop.token,
    params: { contentType: 'melodies' },
    body: { uid: binned.uid },
  })
  const [first] = lists.melList
  const melList = [
    { uid: first?.uid ?? '', duration: 30 },
    ...[ad, binned].map(({ uid }) => ({ uid, duration: 20 })),
  ]
  const adsList = [...lists.adsList, { uid: foreign.uid, duration: 10 }]
  const { faults, names } = await refused(planDraft({ melList, adsList }), 'media-not-as-planned')
  expect(faults).toEqual([
    {
      path: 'melList.0',
      code: 'media-duration-changed',
      uid: first?.uid,
      name: 'Tune 0',
      figures: { duration: 30, expected: 20 },
    },
    { path: 'melList.1', code: 'media-wrong-kind', uid: ad.uid, name: 'An ad' },
    { path: 'melList.2', code: 'media-in-bin', uid: binned.uid, name: 'Binned tune' },
    { path: 'adsList.4', code: 'media-unknown', uid: foreign.uid },
  ])
  expect(names).toEqual(['Tune 0', 'An ad', 'Binned tune'])
})

test('media that are not as planned are named a melody among ads, in both lists', async () => {
  const adsList = [...lists.adsList, ...lists.melList.slice(0, 1)]
  const { faults } = await refused(planDraft({ ...lists, adsList }), 'media-not-as-planned')
  expect(faults).toMatchObject([{ path: 'adsList.4', code: 'media-wrong-kind', name: 'Tune 0' }])
})

test('media that are not as planned are named the first hundred places are enough', async () => {
  const unknown = Array.from({ length: 150 }, (_, n) => ({
    uid: `01933d4e-0000-7000-8000-${String(n).padStart(12, '0')}`,
    duration: 1,
  }))
  const { faults } = await refused(
    draftOf({ adsList: [...lists.adsList, ...unknown] }),
    'media-not-as-planned',
  )
  expect(faults).toHaveLength(100)
})
