import { readAudit } from '@floorcast/contract/audit.ts'
import { clonePlaylist, readPlaylistSource } from '@floorcast/contract/playlists.ts'
import { importSmartPlaylist, type SmartBlock, type SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { makeLists, planDraft } from '@floorcast/testing/smart-draft.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, test } from 'vitest'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from './smart-playlists-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

const server = await testServer({ features: [registerPlaylists, registerSmartPlaylists, registerAudit] })
const shop = await newShop(server)
const lists = await makeLists(shop.scope)
const { token } = shop

const draftOf = (given: Partial<SmartDraft> = {}) => planDraft(lists, given)
const send = (draft: object) => server.call(importSmartPlaylist, { token, body: draft })
const draftIn = async (id: string) => (await server.call(readPlaylistSource, { token, params: { id } })).draft

/** Seconds from the end of each play of an ad to its next play. */
function gapsOf(blocks: readonly SmartBlock[]): number[] {
  const ads = blocks.flatMap(({ kind, items }) => (kind === 'ad' ? items : []))
  return ads.flatMap(({ uid, start }, n) => {
    const before = ads.slice(0, n).findLast(ad => ad.uid === uid)
    return before ? [start - before.start - before.duration] : []
  })
}

test('a minimum ad separation is stored, kept in a copy, audited, and 0 if it is left out', async () => {
  const sent = draftOf({ minAdGap: 70 })
  const { uid = '' } = await send(sent)
  expect(await draftIn(uid)).toMatchObject({ minAdGap: 70, finishList: sent.finishList })
  const copied = await server.call(clonePlaylist, { token, params: { id: uid } })
  const copy = await draftIn(copied.uid ?? '')
  expect(copy?.minAdGap).toBe(70)
  const gaps = gapsOf(copy?.finishList ?? [])
  expect(gaps.length).toBeGreaterThan(10)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(70 - 0.01)
  const { minAdGap: _, ...without } = draftOf()
  await send({ ...without, smartPlUid: uid })
  expect((await draftIn(uid))?.minAdGap).toBe(0)
  const audit = await server.call(readAudit, { token, params: { id: uid } })
  expect(JSON.stringify(audit.items)).toContain('"minAdGap":70')
})

/** The fault of a separation that no plan keeps. */
async function faultOf(minAdGap: number) {
  const answer = await send({ ...draftOf(), minAdGap })
  expect(answer).toMatchObject({ code: 400, reason: 'plan-refused' })
  expect(answer.faults).toHaveLength(1)
  return answer.faults?.[0]
}

test('a separation that no plan keeps is refused with the largest possible', async () => {
  const fault = await faultOf(3600)
  expect(fault).toMatchObject({ path: 'minAdGap', code: 'ad-gap-too-long', figures: { minAdGap: 3600 } })
  const { largest = 0 } = fault?.figures ?? {}
  expect(largest).toBeGreaterThanOrEqual(70)
  expect(await faultOf(largest + 1)).toMatchObject({ figures: { largest } })
  expect(await send(draftOf({ minAdGap: largest }))).toMatchObject({ code: 200 })
})

test('a plan that does not keep its separation is refused with the place', async () => {
  const fault = await faultOf(3600)
  const minAdGap = fault?.figures?.['largest'] ?? 0
  expect(minAdGap).toBeGreaterThan(Math.min(...gapsOf(draftOf().finishList)) + 1)
  const answer = await send({ ...draftOf(), minAdGap })
  expect(answer).toMatchObject({ code: 400, reason: 'plan-breaks-rules' })
  const broken = answer.faults?.find(({ code }) => code === 'ad-gap')
  expect(broken).toMatchObject({ rule: 5, figures: { minAdGap } })
  expect(broken?.path).toMatch(/^finishList\.\d+\.items\.\d+$/)
})

test.each([86_401, -1])('a separation of %d seconds: 422 at its place', async minAdGap => {
  const answer = await server.ask(importSmartPlaylist, { token, body: { ...draftOf(), minAdGap } })
  expect(answer.statusCode).toBe(422)
  const { errors } = answer.json<{ errors: unknown[] }>()
  expect(errors).toContainEqual(expect.objectContaining({ path: 'minAdGap', message: 'ad-gap' }))
})
