import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { FORMER_PROTOCOL } from '@floorcast/contract/manifest.ts'
import { channelPath } from '@floorcast/contract/device-protocol.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Authenticator } from '../../platform/auth/authenticator.ts'
import type { UserSessionWatch } from '../../platform/auth/user-session-watch.ts'
import { isConnectionError } from '../../platform/database/database-errors.ts'
import { bearerToken, pathOf } from '../../platform/http/admit/access.ts'
import type { Admission } from '../../platform/http/admit/admission.ts'
import { databaseAway } from '../../platform/http/answer/problem-answers.ts'
import { writeProblem } from '../../platform/http/receive/connection-limits.ts'
import type { Connections } from '../../platform/http/receive/connections.ts'
import { PROBE_CHANNEL, type ProbeTest } from '../../platform/http/routes/probe.ts'
import { notFound, ProblemError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { openStreamingSession, readIdentity, readSessionStates } from '../device-api/device-api.ts'
import type { Ingest } from '../ingest/ingest.ts'
import type { ChannelHub } from './channel-hub.ts'
import { Channel, type ChannelPeer } from './channel.ts'

const PREFIX = channelPath.slice(0, channelPath.indexOf('{'))
/** Larger than any message of the protocol. */
const MAX_MESSAGE_BYTES = 256 * 1024
const PROBE_TIMEOUT_MS = 10_000

interface Parts {
  context: Context
  admission: Admission
  authenticator: Authenticator
  connections: Connections
  hub: ChannelHub
  userSessions: UserSessionWatch
  ingest: Pick<Ingest, 'heartbeats' | 'reports'>
  isProbe: ProbeTest
  /** The server closes its channels, and opens no other. */
  isLeaving: () => boolean
}

/** A caller that may open a channel. */
interface Candidate {
  clientId: string
  /** The user or device, for which the connection counts. */
  callerUid: string
  /** @param hasWaited the session may have ended since the caller was found @throws ProblemError */
  becomePeer: (hasWaited: boolean) => Promise<ChannelPeer>
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
    parts.connections.upgrade(request.socket)
    // The connection has no other error listener until the WebSocket takes it over.
    const ignore = () => socket.destroy()
    socket.on('error', ignore)
    const open = (peer: ChannelPeer) =>
      sockets.handleUpgrade(request, socket, head, opened => {
        socket.off('error', ignore)
        const channel: Channel = new Channel(opened, peer, {
          log,
          ingest: parts.ingest,
          onAck: ack => parts.hub.acknowledge(channel, ack),
        })
        const { userSession } = peer
        const stopWatching =
          userSession &&
          parts.userSessions.watch({ session: userSession, onEnd: () => parts.hub.end(channel) })
        opened.on('close', () => {
          parts.hub.remove(channel)
          stopWatching?.()
        })
        parts.hub.add(channel)
      })
    const answerProbe = () =>
      sockets.handleUpgrade(request, socket, head, opened => {
        socket.off('error', ignore)
        sendBack(opened)
      })
    admit(parts, { request, socket, open, answerProbe }).catch((error: unknown) => {
      const requestId = uuidV7()
      if (!(error instanceof ProblemError))
        log[isConnectionError(error) ? 'warn' : 'error'](
          { err: error, requestId },
          'a channel could not be opened',
        )
      const problem = toProblem(error)
      const { status, code } = problem
      log.debug(
        { requestId, status, outcome: code, path: pathOf(request.url ?? '') },
        'a channel was refused',
      )
      refuse(socket, problem, requestId)
    })
  }
}

function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  return isConnectionError(error) ? databaseAway() : new ProblemError('internal')
}

/** Answers one message of a probe by itself. */
function sendBack(socket: WebSocket): void {
  const end = setTimeout(() => socket.terminate(), PROBE_TIMEOUT_MS)
  socket.on('error', () => socket.terminate())
  socket.once('close', () => clearTimeout(end))
  socket.once('message', (data, isBinary) => {
    socket.send(data, { binary: isBinary })
    socket.close()
  })
}

function refuse(socket: Duplex, problem: ProblemError, id: string): void {
  writeProblem(socket, problem, id)
  // A caller that keeps its half open would keep the connection.
  socket.end(() => socket.destroy())
}

/**
 * Refuses the pages of other sites: a browser names the page's origin, and devices name none. The console is reached at
 * PUBLIC_URL, at one of CONSOLE_ORIGINS, or under another name of the host. @throws ProblemError 403
 */
function checkOrigin({ headers: { origin, host } }: IncomingMessage, settings: Settings): void {
  const { publicUrl, consoleOrigins } = settings
  if (origin === undefined || origin === new URL(publicUrl).origin || consoleOrigins.includes(origin)) return
  const page = URL.parse(origin)
  if (!page || page.host !== host) throw new ProblemError('origin')
}

interface Upgrade {
  request: IncomingMessage
  socket: Duplex
  open: (peer: ChannelPeer) => void
  answerProbe: () => void
}

/** Opens the channel in its turn. @throws ProblemError */
async function admit(parts: Parts, { request, socket, open, answerProbe }: Upgrade): Promise<void> {
  const { admission, connections, context } = parts
  checkOrigin(request, context.settings)
  if (parts.isLeaving()) throw new ProblemError('busy', { retryAfterSeconds: 1 })
  if (pathOf(request.url ?? '') === PROBE_CHANNEL && (await parts.isProbe(request))) return answerProbe()
  const token = bearerToken(request.headers.authorization)
  const candidate = await admission.identify('connect', token, () => findCandidate(parts, request))
  const { clientId, callerUid, becomePeer } = candidate
  connections.identify(request.socket, callerUid)
  let hasWaited = false
  const onWait = (leave: () => void) => {
    hasWaited = true
    socket.once('close', leave)
  }
  await admission.run('connect', { clientId, onWait }, async () => open(await becomePeer(hasWaited)))
}

async function findCandidate(parts: Parts, request: IncomingMessage): Promise<Candidate> {
  const url = URL.parse(request.url ?? '/', 'http://channel')
  if (!url) throw new ProblemError('malformed')
  const { pathname, searchParams } = url
  const asked = z.uuid().safeParse(pathname.slice(PREFIX.length))
  if (!pathname.startsWith(PREFIX) || !asked.success) throw notFound()
  const protocol = Number(searchParams.get('protocol') ?? FORMER_PROTOCOL)
  if (!(protocol >= FORMER_PROTOCOL)) throw new ProblemError('malformed')
  const deviceUid = asked.data.toLowerCase()
  const token = bearerToken(request.headers.authorization)
  const address = request.socket.remoteAddress ?? ''
  if (token) return findDevice(parts.authenticator, token, { deviceUid, protocol, address })
  const ticket = searchParams.get('ticket')
  const sessionUid = z.uuid().safeParse(searchParams.get('session')).data ?? null
  if (ticket) return findStreamer(parts, ticket, { pathname, deviceUid, protocol, sessionUid })
  throw new ProblemError('device-token')
}

/** The channel that a caller asks for. */
interface Wanted {
  deviceUid: string
  protocol: number
}

async function findDevice(
  authenticator: Authenticator,
  token: string,
  { deviceUid, protocol, address }: Wanted & { address: string },
): Promise<Candidate> {
  const find = async (): Promise<ChannelPeer> => {
    const caller = await authenticator.deviceByToken(token, address)
    if (!caller) throw new ProblemError('device-token')
    if (caller.deviceUid !== deviceUid) throw notFound()
    const { reporterUid, ...device } = caller
    return { device, reporterUid, userSession: null, protocol }
  }
  const found = await find()
  return {
    clientId: found.device.clientId,
    callerUid: deviceUid,
    becomePeer: async hasWaited => (hasWaited ? find() : found),
  }
}

/**
 * The browser of a streamer plays as its linked device, in the session that it has opened. Without one it becomes the active
 * session here.
 */
async function findStreamer(
  { context, authenticator }: Parts,
  ticket: string,
  { pathname, deviceUid, protocol, sessionUid }: Wanted & { pathname: string; sessionUid: string | null },
): Promise<Candidate> {
  const session = await authenticator.userByTicket(ticket, pathname)
  if (!session) throw new ProblemError('session-expired')
  if (session.linkedDeviceUid !== deviceUid) throw notFound()
  const { clientId } = session
  return {
    clientId,
    callerUid: session.userUid,
    becomePeer: async () => {
      const scope = context.database.devices.forClient(clientId)
      const device = await readIdentity(scope, deviceUid)
      if (!device) throw notFound()
      if (sessionUid === null) {
        const reporterUid = await openStreamingSession(context, { deviceUid, clientId, runUid: null })
        return { device, reporterUid, userSession: session, protocol }
      }
      const state = (await readSessionStates(scope.reads, [deviceUid])).get(deviceUid)
      if (state?.reporterUid !== sessionUid) throw new ProblemError('device-token')
      return { device, reporterUid: sessionUid, userSession: session, protocol }
    },
  }
}
