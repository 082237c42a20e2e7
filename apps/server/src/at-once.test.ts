import {
  changePublicationState,
  deletePublication,
  editPublication,
} from '@floorcast/contract/publications.ts'
import { addDevice, deleteDevice, editDevice } from '@floorcast/contract/devices.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import {
  addToGroup,
  changeGroupState,
  deleteGroup,
  editGroup,
  removeFromGroup,
} from '@floorcast/contract/groups.ts'
import { deleteMedia, editMedia } from '@floorcast/contract/media.ts'
import {
  addTrack,
  changePlaylistState,
  clonePlaylist,
  deletePlaylist,
  editPlaylist,
  removeTrack,
} from '@floorcast/contract/playlists.ts'
import { changeProfileState, deleteProfile, editProfile } from '@floorcast/contract/device-profiles.ts'
import { purge, restore } from '@floorcast/contract/recycle-bin.ts'
import { inviteUser } from '@floorcast/contract/users.ts'
import { type End, racer } from '@floorcast/testing/race.ts'
import { findContradictions } from '@floorcast/testing/arithmetic-checks.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { expect, it } from 'vitest'

const server = await wholeServer()
const shop = await newShop(server)
const { token, scope } = shop
await server.database.jobs.setSubscription(shop.email, 'professional', new Date('2099-01-01'), new Date())

/** Every round ended in one of these ways. */
const expectEnds = (rounds: readonly End[][], allowed: readonly End[][]) =>
  expect(rounds.filter(ends => !allowed.some(one => JSON.stringify(one) === JSON.stringify(ends)))).toEqual(
    [],
  )

const { call, race } = racer(server, token)

const inOrder = (ends: readonly End[]) =>
  ends.toSorted((one, other) => String(one).localeCompare(String(other)))

const byId = (id: string) => ({ params: { id } })
const byUid = (uid: string) => ({ body: { uid } })
const on = (uid: string) => call(changePublicationState, { ...byId(uid), query: { from: 'disabled' } })

it('turned on while, at once, its playlist is deleted: it is in a publication, on or off', async () => {
  const rounds = await race(async () => {
    const { uid, playlist } = await readyPublication(shop)
    return [on(uid), call(deletePlaylist, byUid(playlist))]
  })
  expectEnds(rounds, [
    [0, 409],
    [0, 921],
  ])
})

it('turned on while, at once, its group is deleted: a publication names it', async () => {
  const rounds = await race(async () => {
    const { uid, group } = await readyPublication(shop)
    return [on(uid), call(deleteGroup, byUid(group))]
  })
  expectEnds(rounds, [[0, 409]])
})

it('turned on while, at once, the publication is deleted: one of both', async () => {
  const rounds = await race(async () => {
    const { uid } = await readyPublication(shop)
    return [on(uid), call(deletePublication, byUid(uid))]
  })
  expectEnds(rounds, [
    [0, 400],
    ['HTTP 404', 200],
    ['HTTP 409', 200],
  ])
})

it('turned on while, at once, its group or playlist is paused: one of both', async () => {
  const rounds = await race(async () => {
    const { uid, group, playlist } = await readyPublication(shop)
    return [on(uid), call(changeGroupState, byId(group)), call(changePlaylistState, byId(playlist))]
  })
  expectEnds(rounds, [
    [0, 1, 1],
    [2, 9, 9],
    [3, 1, 9],
    [3, 9, 9],
    [2, 9, 1],
  ])
})

it('turned on while, at once, its last track is taken out: it is active, so that this needs a pause first', async () => {
  const rounds = await race(async () => {
    const { uid, playlist } = await readyPublication(shop)
    const track = (await makeMedia(scope)).uid
    return [on(uid), call(removeTrack, { params: { track, playlist, position: 1 } })]
  })
  expectEnds(rounds, [[0, 400]])
})

it('turned on while, at once, the publication is bound to another group: one group has it', async () => {
  const rounds = await race(async () => {
    const { uid } = await readyPublication(shop)
    const groupUid = await shop.group()
    await shop.turnGroup(groupUid)
    return [on(uid), call(editPublication, { body: { uid, groupUid } })]
  })
  expectEnds(rounds, [
    [0, 400],
    [0, 200],
    ['HTTP 409', 200],
  ])
})

it('at once, a playlist is published and deleted: it is published, or gone', async () => {
  const rounds = await race(async () => {
    const [group, playlist] = [await shop.group(), await shop.playlist()]
    return [
      async () => (await shop.publish(group, playlist).catch(() => ({ code: 404 }))).code,
      call(deletePlaylist, byUid(playlist)),
    ]
  })
  expectEnds(rounds, [
    [200, 921],
    [404, 200],
  ])
})

it('at once, a media item is put in a playlist and deleted: it is played, or gone', async () => {
  const rounds = await race(async () => {
    const [track, playlist] = [(await makeMedia(scope)).uid, await shop.emptyPlaylist()]
    return [
      call(addTrack, { params: { track, playlist } }),
      call(deleteMedia, { params: { contentType: 'melodies' }, ...byUid(track) }),
    ]
  })
  expectEnds(rounds, [
    [200, 921],
    ['HTTP 404', 200],
  ])
})

it('at once, a playlist is copied and its track taken out and deleted: no copy plays what is gone', async () => {
  const rounds = await race(async () => {
    const [track, playlist] = [(await makeMedia(scope)).uid, await shop.emptyPlaylist()]
    await call(addTrack, { params: { track, playlist } })()
    return [
      call(clonePlaylist, byId(playlist)),
      async () => {
        await call(removeTrack, { params: { track, playlist, position: 1 } })()
        return call(deleteMedia, { params: { contentType: 'melodies' }, ...byUid(track) })()
      },
    ]
  })
  expectEnds(rounds, [
    [200, 921],
    [200, 200],
  ])
})

it('at once, a device joins a group, and one of both is deleted: it is a member, or free, or gone', async () => {
  const rounds = await race(async () => {
    const [device, group] = [(await makeDevice(scope)).uid, await shop.group()]
    return [
      call(addToGroup, { params: { device, group } }),
      call(deleteGroup, byUid(group)),
      call(deleteDevice, byUid(device)),
    ]
  })
  for (const [joined, groupGone, deviceGone] of rounds) {
    expect([200, 'HTTP 404']).toContain(joined)
    expect(groupGone).toBe(200)
    expect([200, 409]).toContain(deviceGone)
  }
})

it('at once, a device leaves its group twice: once', async () => {
  const rounds = await race(async () => {
    const [device, group] = [(await makeDevice(scope)).uid, await shop.group()]
    await call(addToGroup, { params: { device, group } })()
    return [1, 2, 3].map(() => call(removeFromGroup, { params: { device, group } }))
  })
  for (const ends of rounds) expect(inOrder(ends)).toEqual([200, 400, 400])
})

it('at once, an item in the bin is restored and purged: it is back, or deleted', async () => {
  const rounds = await race(async () => {
    const uid = (await makeDevice(scope)).uid
    await call(deleteDevice, byUid(uid))()
    return [
      call(restore, { params: { contentType: 'devices', uid } }),
      call(purge, { params: { x: 'devices', uid } }),
      call(restore, { params: { contentType: 'devices', uid } }),
    ]
  })
  for (const [first, purged, second] of rounds) {
    const ends = [first, purged, second]
    expect(ends.filter(end => end === 200)).toHaveLength(1)
    expect(ends.filter(end => end === 'HTTP 404')).toHaveLength(2)
  }
})

it('at once, a publication is restored and its playlist purged: it is back with it, or both stay in the bin', async () => {
  const rounds = await race(async () => {
    const { uid, playlist } = await readyPublication(shop)
    await call(deletePublication, byUid(uid))()
    await call(deletePlaylist, byUid(playlist))()
    return [
      call(restore, { params: { contentType: 'publications', uid } }),
      call(restore, { params: { contentType: 'playlists', uid: playlist } }),
      call(purge, { params: { x: 'playlists', uid: playlist } }),
    ]
  })
  expectEnds(rounds, [
    [200, 200, 409],
    [400, 200, 409],
    [200, 200, 'HTTP 404'],
    [400, 200, 'HTTP 404'],
  ])
})

it('at once, a profile is toggled, edited and deleted: nothing of it is lost or half', async () => {
  const rounds = await race(async () => {
    const made = await server.call(editProfile, {
      token,
      body: { name: 'Quiet hours', type: 'audio', settings: {} },
    })
    const uid = made.uid ?? ''
    return [
      call(changeProfileState, { ...byId(uid), query: { from: 'paused' } }),
      call(editProfile, { body: { uid, settings: { defaultVolume: 40 } } }),
      call(deleteProfile, byUid(uid)),
    ]
  })
  for (const [toggled, edited, gone] of rounds) {
    expect([0, 'HTTP 404']).toContain(toggled)
    expect([200, 400, 'HTTP 404']).toContain(edited)
    expect(toggled === 0 ? [400] : [200]).toContain(gone)
  }
})

it('at once, one email is invited three times: once', async () => {
  let people = 0
  const rounds = await race(async () => {
    const body = { email: `person${(people += 1)}@shop.example`, role: 'manager' }
    return [1, 2, 3].map(() => call(inviteUser, { body }))
  })
  for (const ends of rounds) expect(inOrder(ends)).toEqual([200, 'HTTP 422', 'HTTP 422'])
})

const entities: [string, Endpoint, () => Promise<{ uid: string; contentType?: string }>][] = [
  ['device', editDevice, async () => makeDevice(scope)],
  ['group', editGroup, async () => ({ uid: await shop.group() })],
  ['playlist', editPlaylist, async () => ({ uid: await shop.emptyPlaylist() })],
  ['publication', editPublication, async () => ({ uid: (await readyPublication(shop)).uid })],
  ['media item', editMedia, async () => ({ ...(await makeMedia(scope)), contentType: 'melodies' })],
]
it.each(entities)(
  'two edits of one version of a %s: one is done, the other is stale',
  async (_, endpoint, make) => {
    const rounds = await race(async () => {
      const { uid, contentType } = await make()
      const edit = (name: string) =>
        call(endpoint, {
          ...(contentType ? { params: { contentType } } : {}),
          body: { uid, name, version: 1 },
        })
      return [edit('First name'), edit('Second name'), edit('Third name')]
    })
    for (const ends of rounds) expect(inOrder(ends)).toEqual([200, 'HTTP 409', 'HTTP 409'])
  },
)

it('ten devices added, and two restored, at once fill what the plan has left, and no more', async () => {
  const small = await newShop(server)
  const binned = [await makeDevice(small.scope), await makeDevice(small.scope)]
  for (const { uid } of binned) await server.call(deleteDevice, { token: small.token, body: { uid } })
  const add = { token: small.token, params: { contentType: 'audio' }, body: { name: 'Till radio' } }
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => server.call(addDevice, add)),
    ...binned.map(({ uid }) =>
      server.call(restore, { token: small.token, params: { contentType: 'devices', uid } }),
    ),
  ])
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(3)
  for (const refused of answers.filter(({ code }) => code !== 200))
    expect(refused).toEqual({ code: 400, reason: 'device-limit', limit: 3 })
  expect(await findContradictions(server.superuserUrl)).toEqual([])
})
