import { endSession } from '@floorcast/contract/auth.ts'
import { deleteDevice, editDevice, resetLicense } from '@floorcast/contract/devices.ts'
import { endOtherSessions, endUserSessions } from '@floorcast/contract/sessions.ts'
import { changePassword, editUser, removeUser } from '@floorcast/contract/users.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import {
  NEW_PASSWORD,
  newStand,
  openEachConnection,
  openStream,
  openStreamerChannel,
  PASSWORD,
  type Stand,
} from '@floorcast/testing/standing-connections.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { openChannel } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EXPIRY_INTERVAL_MS } from '../../platform/auth/user-session-watch.ts'
import { registerMailedLinks } from './mailed-links-routes.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerUsers } from '../tenants/users-routes.ts'
import { registerChangeFeed } from '../change-feed/change-feed-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

/*
 * Each event × each kind of connection that stands on a session, a password, a license key or a device. A manager has
 * streams of changes, tickets and a link; a streamer has a channel as its device; another device has a channel of its own.
 */

const intervals = vi.spyOn(globalThis, 'setInterval')
const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerMailedLinks,
    registerDevices,
    registerLibrary,
    registerUsers,
    registerChangeFeed,
    registerDeviceHost,
  ],
})
const expiryChecks = intervals.mock.calls.filter(([, ms]) => ms === EXPIRY_INTERVAL_MS)
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })

/** Runs the check of expired sessions now, which otherwise runs once a minute. */
function checkExpiry() {
  for (const [check] of expiryChecks) check()
}

type Kind = keyof Awaited<ReturnType<typeof openEachConnection>>

const eachUser = async ({ users }: Stand, change: (user: Stand['manager']) => Promise<unknown>) => {
  for (const user of users) await change(user)
}
const later = (days: number) => {
  const before = server.clock.now
  onTestFinished(() => void (server.clock.now = before))
  server.clock.now = new Date(before.getTime() + days * 86_400_000)
}

const ENDS = 'ends'
const notUsers = 'it stands on the key of its device, not on a user'
const notDevices = 'it stands on a user, not on a device'
const stillUntilUsed = 'the old password works until the link is used'
const ownSession = 'it stands on the session that changed the password'
const notRevoked = 'it sets a password and gives no rights: they are those of its use'
const readOnly = 'an expired subscription may still be read'
const onlyPasswords = 'it stands on the password, which is the same'
const playsOn = 'devices play what is published, and their reports are taken'

interface EndingEvent {
  happen: (stand: Stand) => Promise<unknown>
  /** What becomes of each kind: it ends, or stays because. */
  ends: Record<Kind, string>
}

const userEnds = {
  'call of a user': ENDS,
  'stream of changes': ENDS,
  'ticket of a file': ENDS,
  'channel of a streamer': ENDS,
  'ticket of a channel': ENDS,
}
const devicesStay = { 'call of a device': notUsers, 'channel of a device': notUsers }
const usersStay = (why: string) => ({
  'call of a user': why,
  'stream of changes': why,
  'ticket of a file': why,
  'channel of a streamer': why,
  'ticket of a channel': why,
  'link of a user': why,
})

const EVENTS: Record<string, EndingEvent> = {
  'sign-out or lock': {
    happen: stand => eachUser(stand, ({ token }) => server.call(endSession, { token })),
    ends: { ...userEnds, 'link of a user': onlyPasswords, ...devicesStay },
  },
  'password changed in another session': {
    happen: stand =>
      eachUser(stand, async ({ email }) => {
        const body = { current: PASSWORD, password: NEW_PASSWORD }
        await server.call(changePassword, { token: await stand.signIn(email), body })
      }),
    ends: { ...userEnds, 'link of a user': ENDS, ...devicesStay },
  },
  'password changed in this session': {
    happen: stand =>
      eachUser(stand, ({ token }) =>
        server.call(changePassword, { token, body: { current: PASSWORD, password: NEW_PASSWORD } }),
      ),
    ends: { ...usersStay(ownSession), 'link of a user': ENDS, ...devicesStay },
  },
  'reset begun by an admin': {
    happen: stand => eachUser(stand, ({ uid }) => stand.reset(uid)),
    ends: { ...usersStay(stillUntilUsed), 'link of a user': ENDS, ...devicesStay },
  },
  'link of a reset used': {
    happen: stand => eachUser(stand, async ({ uid }) => stand.accept(await stand.reset(uid))),
    ends: { ...userEnds, 'link of a user': ENDS, ...devicesStay },
  },
  'user removed': {
    happen: stand =>
      eachUser(stand, ({ uid }) =>
        server.call(removeUser, { token: stand.admin, body: { uid, password: PASSWORD } }),
      ),
    ends: { ...userEnds, 'link of a user': ENDS, ...devicesStay },
  },
  'another role': {
    happen: async ({ admin, manager, streamer, played }) => {
      const body = { uid: manager.uid, role: 'streamer', linkedDeviceUid: played.uid }
      await server.call(editUser, { token: admin, body })
      await server.call(editUser, { token: admin, body: { uid: streamer.uid, role: 'manager' } })
    },
    ends: {
      ...userEnds,
      'call of a user': 'each call is judged by the new role',
      'link of a user': notRevoked,
      ...devicesStay,
    },
  },
  'other rights': {
    happen: stand =>
      eachUser(stand, ({ uid }) =>
        server.call(editUser, { token: stand.admin, body: { uid, rights: 'view' } }),
      ),
    ends: {
      'call of a user': 'each call is judged by the new rights',
      'stream of changes': ENDS,
      'ticket of a file': 'it only reads, which the new rights allow',
      'channel of a streamer': ENDS,
      'ticket of a channel': 'a streamer listens with either rights',
      'link of a user': notRevoked,
      ...devicesStay,
    },
  },
  'streamer linked to another device': {
    happen: ({ admin, streamer, own }) =>
      server.call(editUser, { token: admin, body: { uid: streamer.uid, linkedDeviceUid: own.uid } }),
    ends: {
      ...usersStay('it is not of the streamer'),
      'channel of a streamer': ENDS,
      'ticket of a channel': ENDS,
      ...devicesStay,
    },
  },
  'session ended from the list': {
    happen: stand =>
      eachUser(stand, async ({ email }) =>
        server.call(endOtherSessions, { token: await stand.signIn(email) }),
      ),
    ends: { ...userEnds, 'link of a user': onlyPasswords, ...devicesStay },
  },
  'sessions ended by an admin': {
    happen: stand =>
      eachUser(stand, ({ uid }) =>
        server.call(endUserSessions, { token: stand.admin, params: { uid }, body: { password: PASSWORD } }),
      ),
    ends: { ...userEnds, 'link of a user': onlyPasswords, ...devicesStay },
  },
  'session expired': {
    happen: async () => {
      later(0.6)
      checkExpiry()
    },
    ends: { ...userEnds, 'link of a user': 'it has 72 hours of its own', ...devicesStay },
  },
  'subscription expired': {
    happen: ({ shop }) =>
      asSuperuser(server.superuserUrl, superuser =>
        superuser.query("update clients set subscription_expires_at = '2020-01-01' where uid = $1", [
          shop.scope.clientId,
        ]),
      ),
    ends: {
      ...usersStay(readOnly),
      'call of a device': playsOn,
      'channel of a device': playsOn,
    },
  },
  'device expired': {
    happen: async ({ admin, own, played }) => {
      const expiresAt = new Date(server.clock.now.getTime() - 1000).toISOString()
      for (const { uid } of [own, played])
        await server.call(editDevice, { token: admin, body: { uid, expiresAt } })
    },
    ends: {
      ...usersStay(playsOn),
      'call of a device': playsOn,
      'channel of a device': playsOn,
    },
  },
  'license key reset': {
    happen: async ({ admin, own, played }) => {
      for (const { uid } of [own, played]) await server.call(resetLicense, { token: admin, params: { uid } })
    },
    ends: { ...usersStay(notDevices), 'call of a device': ENDS, 'channel of a device': ENDS },
  },
  'device in the recycle bin': {
    happen: async ({ admin, own, played }) => {
      for (const { uid } of [own, played]) await server.call(deleteDevice, { token: admin, body: { uid } })
    },
    ends: {
      ...usersStay(notDevices),
      'channel of a streamer': ENDS,
      'ticket of a channel': ENDS,
      'call of a device': ENDS,
      'channel of a device': ENDS,
    },
  },
}

/** What ends soon is waited for; what stays is asked last, when the others have ended. */
const KINDS_IN_ORDER: readonly Kind[] = [
  'stream of changes',
  'channel of a streamer',
  'channel of a device',
  'call of a user',
  'ticket of a file',
  'call of a device',
  // These two change what the others stand on.
  'ticket of a channel',
  'link of a user',
]

test.each(Object.entries(EVENTS))('%s', async (_, { happen, ends }) => {
  const stand = await newStand(server, origin)
  const connections = await openEachConnection(stand)
  await happen(stand)
  const isEnding = (kind: Kind) => ends[kind] === ENDS
  for (const kind of KINDS_IN_ORDER.filter(isEnding))
    await eventually(async () => expect(await connections[kind].isOpen(), kind).toBe(false))
  for (const kind of KINDS_IN_ORDER.filter(kind => !isEnding(kind)))
    expect(await connections[kind].isOpen(), `${kind}: ${ends[kind]}`).toBe(true)
})

test('after lost notices every connection is compared with its session', async () => {
  const stand = await newStand(server, origin)
  const [streamer, device] = [
    await openStreamerChannel(stand),
    await openChannel(origin, stand.own.uid, stand.player.token),
  ]
  await asSuperuser(server.superuserUrl, async superuser => {
    // Without triggers nobody sends a notice.
    await superuser.query("set session_replication_role = 'replica'")
    await superuser.query('update sessions set revoked_at = now() where user_uid = $1', [stand.streamer.uid])
    await superuser.query('update devices set token_hash = null where uid = $1', [stand.own.uid])
    await superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'floorcast_bus' and datname = current_database()`,
    )
  })
  expect(await streamer.closed).toBe(4003)
  expect(await device.closed).toBe(4001)
})

test('a session that ends while its stream is being opened ends the stream', async () => {
  const { manager } = await newStand(server, origin)
  const { auth } = server.database
  const find = auth.sessionByToken.bind(auth)
  vi.spyOn(auth, 'sessionByToken').mockImplementationOnce(async (...args) => {
    const session = await find(...args)
    // From elsewhere: calls with one token from one address wait for each other's authentication.
    await server.call(endSession, { token: manager.token, address: '198.51.100.7' })
    return session
  })
  const stream = await openStream(origin, manager.token)
  await eventually(async () => expect(await stream.isOpen()).toBe(false))
})

test('another role ends a stream also where nothing else changes', async () => {
  const { admin, manager } = await newStand(server, origin)
  const stream = await openStream(origin, manager.token)
  expect(await stream.isOpen()).toBe(true)
  await server.call(editUser, { token: admin, body: { uid: manager.uid, role: 'admin', password: PASSWORD } })
  await eventually(async () => expect(await stream.isOpen()).toBe(false))
})

test('a link ends with the password that it was made to replace, whoever changes it', async () => {
  const { manager, reset, accept } = await newStand(server, origin)
  const link = await reset(manager.uid)
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query("update users set password_hash = 'another' where uid = $1", [manager.uid]),
  )
  expect((await accept(link)).json()).toMatchObject({ code: 'link-expired' })
})
