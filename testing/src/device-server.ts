import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  type ChannelMessage,
  type ChannelReply,
  type Heartbeat,
  type HeartbeatAnswer,
  type Held,
  type openDeviceSession,
  proveServer,
} from '@floorcast/contract/device-protocol.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { serverProofText } from '@floorcast/contract/server-address.ts'
import type { DeviceEvent } from '@floorcast/contract/events.ts'
import { sendDeviceFile } from '@floorcast/contract/device-commands.ts'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import { FaultyFiles, sendJson, sendProblem } from './faulty-files.ts'
import { freePort } from './free-port.ts'
import { splitManifest } from './manifest-arbitrary.ts'

export type { Fault } from './faulty-files.ts'

type SessionCall = BodyOf<typeof openDeviceSession>

/**
 * A device host for tests: the device protocol over real HTTP and WebSocket. It records the received data and can cause
 * faults. It can be stopped and started again on the same port.
 */
export class ServerDouble extends FaultyFiles {
  readonly playPoint: string
  /** The uid of the device's client. */
  client: string = randomUUID()
  /** The token of the newest session, which ends the previous one. */
  token = ''
  readonly events: DeviceEvent[] = []
  readonly duplicates: string[] = []
  readonly heartbeats: Heartbeat[] = []
  readonly acknowledged: string[] = []
  readonly receipts: Extract<ChannelReply, { type: 'receipt' }>[] = []
  readonly heldReports: Held[][] = []
  readonly acks: Extract<ChannelReply, { type: 'ack' }>[] = []
  /** The files that commands asked for, by the command's id. */
  readonly commandFiles = new Map<string, { contentType: string; content: Buffer }>()
  sessions = 0
  /** The bodies of the calls for a session. */
  readonly sessionCalls: unknown[] = []
  /** The queries of the calls for a manifest, with their If-None-Match. */
  readonly manifestCalls: string[] = []
  #session: { uid: string; runId: string | undefined } | null = null
  boundHardwareId: string | null = null
  /** Whether the license key and its tokens are known. */
  knowsKey = true
  /** An offset to the server's clock, in milliseconds. */
  clockShift = 0
  /** The time that the answer to a heartbeat on the channel takes on a line that stalls towards the device. */
  stallMs = 0
  /** The number of heartbeats on the channel that get no answer. */
  unansweredHeartbeats = 0
  /** The number of answers to send/list that are lost after the events were stored. */
  lostAnswers = 0
  /** Awaited before an answer; `isRefused` means that the answer is 401. */
  delayAnswer: (path: string, isRefused: boolean) => Promise<unknown> = () => Promise.resolve()
  /** The beginnings of paths that the server is too busy to answer. */
  readonly busyPaths = new Set<string>()
  /** The seconds that it then tells to wait; 0: none. */
  retryAfterSeconds = 0
  /** Whether the server accepts channels. */
  acceptsChannels = true
  /** Changes the answer to a heartbeat before it is sent. */
  changeAnswer: (answer: HeartbeatAnswer) => object = answer => answer
  /** The reason for which an event is refused; null if it is accepted. */
  readonly refuse: (event: DeviceEvent) => string | null = () => null
  #manifest: Pick<DeviceManifest, 'generation'> | null = null
  readonly #programmes = new Map<string, string>()
  /** The paths of the requested programmes. */
  readonly programmesRead: string[] = []
  readonly #ids = new Set<string>()
  readonly #sockets = new Set<WebSocket>()
  #server: Server | null = null
  #port = 0
  /** The SHA-256 of the license key by which it proves that it is the device's server. */
  licenseHash = createHash('sha256').update('KEY').digest()
  /** The calls for a proof. */
  proofs = 0

  /** `playPoint` is the device's uid. */
  constructor(playPoint: string = randomUUID()) {
    super()
    this.playPoint = playPoint
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }
  get channels(): number {
    return this.#sockets.size
  }
  get etag(): string {
    return `"${this.#manifest?.generation}"`
  }

  /** Publishes what another one publishes, as a server at another address does. */
  takeOver(other: ServerDouble): void {
    for (const [sha256, text] of other.#programmes) this.addProgramme(sha256, text)
    this.takeFiles(other)
    if (other.#manifest) this.publish(other.#manifest)
  }
  /** Publishes a manifest, possibly one of a later server, and notifies connected devices. */
  publish(manifest: Pick<DeviceManifest, 'generation'>): void {
    this.#manifest = manifest
    this.send({ type: 'manifest', withinSeconds: 0 })
  }
  /** Publishes a manifest of the current protocol, whose programmes are documents of their own. */
  publishSplit(manifest: DeviceManifest): void {
    const { manifest: small, programmes } = splitManifest(manifest)
    for (const [sha256, text] of programmes) this.addProgramme(sha256, text)
    this.publish(small)
  }
  addProgramme(sha256: string, text: string): void {
    this.#programmes.set(sha256, text)
  }
  send(message: ChannelMessage): void {
    this.sendText(JSON.stringify(message))
  }
  sendText(text: string): void {
    for (const socket of this.#sockets) socket.send(text)
  }

  async start(): Promise<void> {
    this.#port ||= await freePort()
    const server = createServer((request, response) => void this.#answer(request, response))
    const channel = new WebSocketServer({
      server,
      verifyClient: (_, answer) => answer(this.acceptsChannels, 403),
    })
    channel.on('connection', socket => this.#welcome(socket))
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#server = server
  }

  /** Stops the server and breaks all connections, as a kill does. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (!server) return
    for (const socket of this.#sockets) socket.terminate()
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  #welcome(socket: WebSocket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('message', data => {
      const reply = JSON.parse((data as Buffer).toString()) as ChannelReply
      if (reply.type === 'ack') {
        this.acknowledged.push(reply.id)
        this.acks.push(reply)
      }
      if (reply.type === 'receipt') this.receipts.push(reply)
      if (reply.type === 'held') this.heldReports.push(reply.held)
      if (reply.type === 'heartbeat') {
        this.heartbeats.push(reply.heartbeat)
        this.unansweredHeartbeats -= 1
        if (this.unansweredHeartbeats >= 0) return
        const { sentAt } = reply.heartbeat
        const text = JSON.stringify({ type: 'heartbeat-answer', sentAt, answer: this.#heartbeatAnswer() })
        setTimeout(() => socket.send(text), this.stallMs)
      }
    })
  }

  /** Loses the events from one on, as a server whose database is restored. @returns them */
  lose(from: number): DeviceEvent[] {
    const lost = this.events.splice(from)
    for (const { id } of lost) this.#ids.delete(id)
    return lost
  }

  #heartbeatAnswer() {
    const serverTime = new Date(Date.now() + this.clockShift).toISOString()
    return this.changeAnswer({ serverTime, manifestEtag: this.etag, alerts: [] })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : null
    if (path === '/api/v2/device/session') {
      this.sessionCalls.push(body)
      return this.#openSession(body as SessionCall, response)
    }
    if (path === proveServer.path && this.#isBusy(path)) return this.#postpone(response)
    if (path === proveServer.path) return this.#prove(proveServer.body.parse(body), response)
    const isRefused = !this.knowsKey || request.headers.authorization !== `Bearer ${this.token}`
    await this.delayAnswer(path, isRefused)
    if (isRefused) return sendProblem(response, 401, 'signed-out')
    if (this.#isBusy(path)) return this.#postpone(response)
    if (path.startsWith('/api/v2/iplay/manifest/')) return this.#sendManifest(request, response)
    if (path.startsWith('/api/v2/iplay/programme/')) return this.#sendProgramme(path, response)
    if (/^\/api\/v2\/iplay\/(media|update)\//.test(path)) return this.sendFile(request, response)
    if (path.startsWith('/api/v2/iplay/send/list/')) return this.#take(body as DeviceEvent[], response)
    if (path.startsWith('/api/v2/iplay/command/')) return this.#takeFile(path, body, response)
    if (path !== '/api/v2/heartbeat/send') return sendProblem(response, 404, 'not-found')
    this.heartbeats.push(body as Heartbeat)
    sendJson(response, this.#heartbeatAnswer())
  }

  #isBusy(path: string): boolean {
    return [...this.busyPaths].some(beginning => path.startsWith(beginning))
  }

  #postpone(response: ServerResponse): void {
    if (this.retryAfterSeconds > 0) response.setHeader('retry-after', this.retryAfterSeconds)
    sendProblem(response, 503, 'busy')
  }

  #takeFile(path: string, body: unknown, response: ServerResponse): void {
    const { contentType, content } = sendDeviceFile.body.parse(body)
    const id = path.split('/').at(-1) ?? ''
    this.commandFiles.set(id, { contentType, content: Buffer.from(content, 'base64') })
    sendJson(response, { code: 200 })
  }

  #prove(body: BodyOf<typeof proveServer>, response: ServerResponse): void {
    this.proofs += 1
    const proof = createHmac('sha256', this.licenseHash).update(serverProofText(body)).digest('hex')
    sendJson(response, { proof })
  }

  #openSession({ boxId, runId, formerSession }: SessionCall, response: ServerResponse): void {
    if (!this.knowsKey) return sendProblem(response, 404, 'license-unknown')
    this.boundHardwareId ??= boxId
    if (this.boundHardwareId !== boxId) return sendProblem(response, 403, 'license-bound')
    const isReplaced = this.#session && formerSession !== undefined && formerSession !== this.#session.uid
    if (isReplaced && this.#session?.runId !== runId) return sendProblem(response, 409, 'session-replaced')
    this.sessions += 1
    this.#session = { uid: randomUUID(), runId }
    this.token = randomUUID()
    const { token, playPoint: playpointid, client } = this
    sendJson(response, { token, playpointid, session: this.#session.uid, client })
  }

  #sendManifest(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#manifest) return sendProblem(response, 404, 'not-found')
    this.manifestCalls.push(`${request.url?.split('?')[1]} ${request.headers['if-none-match']}`)
    if (request.headers['if-none-match'] === this.etag) return void response.writeHead(304).end()
    response.setHeader('etag', this.etag)
    sendJson(response, this.#manifest)
  }

  #sendProgramme(path: string, response: ServerResponse): void {
    const text = this.#programmes.get(path.split('/').pop() ?? '')
    if (text === undefined) return sendProblem(response, 404, 'not-found')
    this.programmesRead.push(path)
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(gzipSync(text))
  }

  #take(list: DeviceEvent[], response: ServerResponse): void {
    const refused: { id: string; why: string }[] = []
    for (const event of list) {
      const why = this.refuse(event)
      if (why) refused.push({ id: event.id, why })
      else if (this.#ids.has(event.id)) this.duplicates.push(event.id)
      else this.events.push(event)
      this.#ids.add(event.id)
    }
    if (this.lostAnswers > 0) {
      this.lostAnswers -= 1
      response.destroy()
    } else sendJson(response, { code: 200, accepted: list.length - refused.length, duplicates: 0, refused })
  }
}

/** The hash of a file in a manifest. */
export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
