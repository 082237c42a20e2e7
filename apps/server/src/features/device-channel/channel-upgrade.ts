import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { channelPath } from '@floorcast/contract/device-protocol.ts'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Authenticator } from '../../platform/auth/authenticator.ts'
import { isConnectionError } from '../../platform/database/database-errors.ts'
import { bearerToken } from '../../platform/http/access.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { readIdentity, takeOverSessions } from '../device-api/device-api.ts'
import type { Ingest } from '../ingest/ingest.ts'
import type { ChannelHub } from './channel-hub.ts'
import { Channel, type ChannelPeer } from './channel.ts'

const PREFIX = channelPath.slice(0, channelPath.indexOf('{'))
/** Larger than any message of the protocol. */
const MAX_MESSAGE_BYTES = 256 * 1024

interface Parts {
  context: Context
  authenticator: Authenticator
  hub: ChannelHub
  heartbeats: Ingest['heartbeats']
}

/** Makes the listener of the server's `upgrade` event: it opens the channels of devices and refuses everything else. */
export function makeChannelUpgrade(parts: Parts) {
  const { log } = parts.context
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  })
  return (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The connection has no other error listener until the WebSocket takes it over.
    const ignore = () => socket.destroy()
    socket.on('error', ignore)
    admit(parts, request).then(
      admitted => {
        if (typeof admitted === 'number') return refuse(socket, admitted)
        sockets.handleUpgrade(request, socket, head, opened => {
          socket.off('error', ignore)
          const channel: Channel = new Channel(opened, admitted, {
            log,
            heartbeats: parts.heartbeats,
            onAck: messageUid => parts.hub.acknowledge(channel, messageUid),
          })
          opened.on('close', () => parts.hub.remove(channel))
          parts.hub.add(channel)
        })
      },
      (error: unknown) => {
        const isAway = isConnectionError(error)
        log[isAway ? 'warn' : 'error']({ err: error }, 'a channel could not be opened')
        refuse(socket, isAway ? 503 : 500)
      },
    )
  }
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

/** The device that may open the channel, or the HTTP status of the refusal. */
async function admit(
  { context, authenticator }: Parts,
  request: IncomingMessage,
): Promise<ChannelPeer | number> {
  const url = URL.parse(request.url ?? '/', 'http://channel')
  if (!url) return 400
  const { pathname, searchParams } = url
  const asked = z.uuid().safeParse(pathname.slice(PREFIX.length))
  if (!pathname.startsWith(PREFIX) || !asked.success) return 404
  const token = bearerToken(request.headers.authorization)
  if (token) return admitDevice(authenticator, token, asked.data)
  const ticket = searchParams.get('ticket')
  return ticket ? admitStreamer({ context, authenticator }, { ticket, pathname, deviceUid: asked.data }) : 401
}

type Gate = Pick<Parts, 'context' | 'authenticator'>

async function admitDevice(
  authenticator: Authenticator,
  token: string,
  asked: string,
): Promise<ChannelPeer | number> {
  const caller = await authenticator.deviceByToken(token)
  if (!caller) return 401
  if (caller.deviceUid !== asked.toLowerCase()) return 404
  const { reporterUid, ...device } = caller
  return { device, reporterUid }
}

/** The browser of a streamer plays as its linked device and becomes the active session. */
async function admitStreamer(
  { context, authenticator }: Gate,
  asked: { ticket: string; pathname: string; deviceUid: string },
): Promise<ChannelPeer | number> {
  const session = await authenticator.userByTicket(asked.ticket, asked.pathname)
  if (!session) return 401
  const deviceUid = asked.deviceUid.toLowerCase()
  if (session.linkedDeviceUid !== deviceUid) return 404
  const { clientId } = session
  const device = await readIdentity(context.database.forClient(clientId), deviceUid)
  if (!device) return 404
  const reporterUid = uuidV7()
  await takeOverSessions(context, [{ deviceUid, clientId, reporterUid }])
  return { device, reporterUid }
}
