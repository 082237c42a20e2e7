import { authenticate, makeTicket, readSession } from '@floorcast/contract/auth.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { readManifest } from '@floorcast/contract/device-protocol.ts'
import { readMediaFile } from '@floorcast/contract/media.ts'
import { acceptLink, inviteUser, resetUser } from '@floorcast/contract/users.ts'
import { expect, onTestFinished } from 'vitest'
import { eventually } from './eventually.ts'
import { makeDevice } from './factories.ts'
import { makeSong } from './media-song.ts'
import { uploader } from './media-upload-form.ts'
import { makeHeartbeat, openChannel, openPlayer, openTicketChannel } from './test-device.ts'
import type { TestServer } from './test-server.ts'

/** The password of the users of a stand, and one that they change it to. */
export const [PASSWORD, NEW_PASSWORD] = ['a long password', 'another long password']

/** The stream of changes. */
export async function openStream(origin: string, token: string) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${origin}/api/v2/live`, { headers, signal: stop.signal })
  expect(answer.status).toBe(200)
  let isOpen = true
  const close = () => (isOpen = false)
  void answer.text().then(close, close)
  return { isOpen: () => Promise.resolve(isOpen) }
}

let stands = 0

/** A client with a manager, a streamer and two devices, of which the streamer plays one. */
export async function newStand(server: TestServer, origin: string) {
  // Limits count by address.
  const address = `10.0.0.${++stands}`
  const shop = await server.newClient()
  const admin = shop.token
  const [own, played] = [await makeDevice(shop.scope), await makeDevice(shop.scope)]
  const player = await openPlayer(server, own.licenseKey)
  const signIn = async (email: string, password = PASSWORD) =>
    (await server.call(authenticate, { address, body: { email, password } })).token
  const linkOf = ({ link }: { link?: string | undefined }) => link?.split('#invite=')[1] ?? ''
  const accept = (token: string, password = NEW_PASSWORD) =>
    server.ask(acceptLink, { address, body: { token, password } })
  const newUser = async (more: object) => {
    const email = `${crypto.randomUUID()}@shop.example`
    const invited = await server.call(inviteUser, { token: admin, body: { email, ...more } })
    const { uid, token } = (await accept(linkOf(invited), PASSWORD)).json<{
      data: { uid: string; token: string }
    }>().data
    return { uid, email, token }
  }
  const manager = await newUser({ role: 'manager' })
  const streamer = await newUser({ role: 'streamer', linkedDeviceUid: played.uid })
  const reset = async (uid: string) =>
    linkOf(await server.call(resetUser, { token: admin, params: { uid }, body: { password: PASSWORD } }))
  const ticketFor = async (token: string, path: string) =>
    (await server.call(makeTicket, { token, body: { path } })).ticket
  const song = { bytes: makeSong({ notes: [1, 2], seconds: 4 }), name: 'A song.mp3' }
  const { uid: file } = await uploader(server).upload(admin, 'melodies', song)
  const filePath = buildPath(readMediaFile.path, { uid: file })
  const users = [manager, streamer]
  return {
    server,
    origin,
    shop,
    admin,
    own,
    played,
    player,
    filePath,
    users,
    manager,
    streamer,
    signIn,
    reset,
    accept,
    ticketFor,
  }
}
export type Stand = Awaited<ReturnType<typeof newStand>>

/** A kind of connection; `isOpen` tries it. */
interface Connection {
  isOpen: () => Promise<boolean>
}

const works = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode === 200

/** The channel of a streamer's browser. */
export async function openStreamerChannel({ origin, played, streamer, ticketFor }: Stand) {
  const ticket = await ticketFor(streamer.token, `/api/v2/iplay/channel/${played.uid}`)
  return openTicketChannel(origin, played.uid, ticket)
}

async function channelState(channel: Awaited<ReturnType<typeof openChannel>>): Promise<Connection> {
  let isOpen = true
  void channel.closed.then(() => (isOpen = false))
  return {
    isOpen: async () => {
      if (!isOpen) return false
      const { length } = channel.heard
      channel.say({ type: 'heartbeat', heartbeat: makeHeartbeat() })
      await eventually(() => expect(!isOpen || channel.heard.length > length).toBe(true))
      return isOpen
    },
  }
}

/** Opens a connection of each kind. */
export async function openEachConnection(stand: Stand) {
  const { server, origin, manager, streamer, own, played, player, filePath, ticketFor, reset, accept } = stand
  const fileTicket = await ticketFor(manager.token, filePath)
  const channelTicket = await ticketFor(streamer.token, `/api/v2/iplay/channel/${played.uid}`)
  const link = await reset(manager.uid)
  return {
    'call of a user': { isOpen: () => works(server.ask(readSession, { token: manager.token })) },
    'stream of changes': await openStream(origin, manager.token),
    'ticket of a file': {
      isOpen: () => works(server.http.app.inject({ url: `${filePath}?ticket=${fileTicket}` })),
    },
    'channel of a streamer': await channelState(await openStreamerChannel(stand)),
    'ticket of a channel': {
      isOpen: () =>
        openTicketChannel(origin, played.uid, channelTicket).then(
          () => true,
          () => false,
        ),
    },
    'link of a user': {
      isOpen: () => works(accept(link)),
    },
    'call of a device': { isOpen: () => works(server.ask(readManifest, player)) },
    'channel of a device': await channelState(await openChannel(origin, own.uid, player.token)),
  } satisfies Record<string, Connection>
}
