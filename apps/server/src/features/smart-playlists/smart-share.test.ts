import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { importSmartPlaylist, type SmartBlock, type SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { planned } from '@floorcast/testing/planned.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { blockOf, recalculateTimes } from '@floorcast/testing/plan-breaches.ts'
import { planDraft } from '@floorcast/testing/smart-draft.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, test } from 'vitest'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from './smart-playlists-routes.ts'

const server = await testServer({ features: [registerPlaylists, registerSmartPlaylists] })

test('an ad with more, or with less, of the ad time than its weight promises is refused by name, and nothing is left', async () => {
  const shop = await newShop(server)
  const tracksOf = async (contentType: 'melodies' | 'ads', given: { duration: number; weight: number }[]) => {
    const tracks: SmartDraft['melList'] = []
    for (const { duration, weight } of given) {
      const media = { contentType, name: `${contentType} ${tracks.length}`, durationSeconds: duration }
      const { uid } = await makeMedia(shop.scope, media)
      tracks.push({ uid, duration, weight })
    }
    return tracks
  }
  const melList = await tracksOf(
    'melodies',
    Array.from({ length: 9 }, (_, n) => ({ duration: 60 + n, weight: 1 })),
  )
  const adsList = await tracksOf(
    'ads',
    [1, 1, 1, 6, 3].map(weight => ({ duration: 12, weight })),
  )
  const promised = planDraft({ melList, adsList }, { endDay: '12:00', melTime: 360, adsTime: 120 })
  const { blocks } = planned({ ...promised, type: promised.playlistType })
  const uidOf = (ad: number) => adsList[ad]?.uid ?? ''
  const send = (finishList: SmartBlock[]) =>
    server.call(importSmartPlaylist, { token: shop.token, body: { ...promised, finishList } })
  const faultsOf = async (finishList: SmartBlock[]) => {
    const answer = await send(finishList)
    expect(answer).toMatchObject({ code: 400, reason: 'plan-breaks-rules' })
    return answer.faults ?? []
  }
  const offShare = (fault: object): unknown =>
    expect.objectContaining({ rule: 4, code: 'off-share', ...fault })

  const ahead = structuredClone(blocks)
  for (const item of blockOf(ahead, 1).items) item.uid = uidOf(4)
  expect(await faultsOf(ahead)).toContainEqual(
    offShare({
      path: 'finishList.1.items.1',
      uid: uidOf(4),
      name: 'ads 4',
      figures: { plays: 2, share: 0.5 },
    }),
  )

  const behind = structuredClone(blocks.slice(0, 2))
  blockOf(behind, 1).items = [0, 1, 2, 4].map(ad => ({ uid: uidOf(ad), start: 0, duration: 12 }))
  expect(await faultsOf(recalculateTimes(behind, 0))).toContainEqual(
    offShare({ uid: uidOf(3), name: 'ads 3', figures: { plays: 0, share: 2 } }),
  )

  const all = { token: shop.token, params: { x: 'all' } }
  expect((await server.call(listPlaylists, all)).total).toBe(0)
  const left = await shop.scope.reads.selectFrom('playlistBlocks').select('position').execute()
  expect(left).toEqual([])
  // Only the share was wrong: the correct plan is accepted.
  expect((await send(blocks)).code).toBe(200)
})
