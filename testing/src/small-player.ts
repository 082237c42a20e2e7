import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { type Json, sleep, SmallAlerts, SmallFiles, SmallLog } from './small-player-parts.ts'
import {
  describePlay,
  describeState,
  JOIN_MS,
  type PlayerFaults,
  type Playing,
} from './small-player-reports.ts'
import { type SmallCue, type SmallManifest, SmallTimeline } from './small-timeline.ts'

const TICK_MS = 25

/**
 * A second player, written from docs/device-protocol.md alone: it shares no code with the agent, and makes no sound. `faults` are
 * the rules that it does not hold.
 */
export class SmallPlayer {
  readonly #origin: string
  readonly #licenseKey: string
  readonly #faults: PlayerFaults
  readonly #timeline: SmallTimeline
  readonly #boxId = randomUUID()
  readonly #runId = randomUUID()
  #token = ''
  #playPoint = ''
  #session: string | undefined
  #socket: WebSocket | null = null
  #clockOffset = 0
  #hasServerTime = false
  #manifest: SmallManifest | null = null
  #etag: string | null = null
  #volume = 0
  readonly #files: SmallFiles
  readonly #log: SmallLog
  #playing: Playing | null = null
  #silence: { because: string; since: number } = { because: 'starting', since: Date.now() }
  readonly #alerts: SmallAlerts
  readonly #reported = new Set<string>()
  #heartbeatAt = 0
  #isFetching = false
  #isOpening = false
  #isStopped = false

  constructor(
    origin: string,
    { licenseKey = 'KEY', faults = {} }: { licenseKey?: string; faults?: PlayerFaults } = {},
  ) {
    this.#origin = origin
    this.#licenseKey = licenseKey
    this.#faults = faults
    this.#timeline = new SmallTimeline(faults)
    const call = (path: string, init?: RequestInit) => this.#call(path, init)
    this.#files = new SmallFiles(call, () => this.#isStopped)
    const now = () => (faults.ignoresServerTime ? Date.now() : this.#now())
    this.#log = new SmallLog(call, { bootId: this.#runId, now })
    this.#alerts = new SmallAlerts({
      repeats: faults.repeatsAlerts === true,
      say: message => this.#say(message),
      log: event => this.#log.append(event),
      onBegin: () => {
        this.#endPlay('alert')
        this.#silence = { because: 'alert', since: this.#now() }
      },
    })
  }

  async start(): Promise<void> {
    await this.#open()
    void this.#tick()
  }
  stop(): void {
    this.#isStopped = true
    this.#socket?.terminate()
  }
  #now(): number {
    return Date.now() + this.#clockOffset
  }

  async #tick(): Promise<void> {
    while (!this.#isStopped) {
      this.#play()
      if (this.#socket?.readyState === WebSocket.OPEN) {
        const interval = (this.#manifest?.settings.heartbeatSeconds ?? 10) * 1000
        if (Date.now() - this.#heartbeatAt > interval) this.#beat()
      }
      if (this.#hasServerTime) void this.#log.deliver(this.#playPoint)
      await sleep(TICK_MS)
    }
  }

  async #call(path: string, init: RequestInit = {}): Promise<Response> {
    const token = this.#token
    const headers = { ...init.headers, authorization: `Bearer ${token}` }
    const answer = await fetch(this.#origin + path, { ...init, headers, redirect: 'manual' })
    const location = answer.headers.get('location')
    if (location !== null && this.#faults.followsRedirects) return fetch(location, { headers })
    // Another call may have opened the next session meanwhile.
    if (answer.status === 401 && token === this.#token) await this.#open()
    return answer
  }

  async #open(): Promise<void> {
    if (this.#isOpening || this.#isStopped) return
    this.#isOpening = true
    const device = { boxId: this.#boxId, runId: this.#runId, model: 'Small', version: '1.0.0' }
    const answer = await fetch(`${this.#origin}/api/v2/device/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...device, licenseKey: this.#licenseKey, formerSession: this.#session }),
    })
    if (answer.status === 409) return this.stop()
    const { data } = (await answer.json()) as { data: Record<'token' | 'playpointid' | 'session', string> }
    this.#token = data.token
    this.#playPoint = data.playpointid
    this.#session = data.session
    this.#isOpening = false
    this.#connect()
    void this.#fetchManifest()
  }

  #connect(): void {
    const path = `/api/v2/iplay/channel/${this.#playPoint}?protocol=2`
    const socket = new WebSocket(this.#origin.replace(/^http/, 'ws') + path, {
      headers: { authorization: `Bearer ${this.#token}` },
    })
    const former = this.#socket
    this.#socket = socket
    former?.close()
    socket.on('error', () => undefined)
    socket.on('open', () => this.#beat())
    socket.on('message', data => void this.#hear((data as Buffer).toString()))
  }
  #say(message: Json): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  async #hear(text: string): Promise<void> {
    let message: Json
    try {
      message = JSON.parse(text) as Json
    } catch {
      return this.#debug('protocol-unknown', 'no JSON')
    }
    if (message['type'] === 'manifest') await this.#fetchManifest()
    else if (message['type'] === 'heartbeat-answer') this.#takeAnswer(message)
    else if (message['type'] === 'alert') this.#takeAlert(message)
    else if (message['type'] === 'command') await this.#follow(message)
    else if (message['type'] === 'replaced') this.stop()
    else this.#debug('protocol-unknown', String(message['type']))
  }

  #beat(): void {
    this.#heartbeatAt = Date.now()
    this.#say({
      type: 'heartbeat',
      heartbeat: describeState({
        runId: this.#runId,
        volume: this.#faults.ignoresVolume ? (this.#manifest?.device.volume ?? 0) : this.#volume,
        playing: this.#alerts.open.size > 0 ? null : this.#playing,
        namedMs: this.#faults.namesNoStart ? -700 : 0,
        silence: this.#silence,
        intervalSeconds: this.#manifest?.settings.heartbeatSeconds ?? 10,
        manifestEtag: this.#etag,
        held: this.#files.describe(this.#manifest),
      }),
    })
  }

  #takeAnswer({ sentAt, answer }: Json): void {
    const { serverTime, alerts, manifestEtag } = answer as {
      serverTime: string
      manifestEtag: string
      alerts: { uid: string; kind: string }[]
    }
    const sent = Date.parse(String(sentAt))
    this.#clockOffset = Date.parse(serverTime) - (sent + Date.now()) / 2
    this.#hasServerTime = true
    for (const { uid, kind } of alerts) this.#alerts.meet(uid, kind)
    if (manifestEtag !== this.#etag) void this.#fetchManifest()
  }

  #takeAlert({ alertUid, kind, step }: Json): void {
    if (step === 'end') this.#alerts.end(String(alertUid), String(kind))
    else this.#alerts.meet(String(alertUid), String(kind))
  }
  async #follow({ id, command, value }: Json): Promise<void> {
    let why: string | null = null
    if (command === 'volume') this.#volume = Number(value)
    else if (command === 'send-log' && !this.#faults.sendsNoLog) {
      const content = Buffer.from('the log').toString('base64')
      await this.#call(`/api/v2/iplay/command/${this.#playPoint}/${String(id)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ contentType: 'text/plain', content }),
      })
    } else if (command === 'identify') why = 'no-sound'
    else if (command !== 'send-log') why = 'unknown-command'
    this.#say({ type: 'ack', id, ok: why === null, ...(why !== null && { why }) })
    if (command === 'volume') this.#beat()
  }

  async #fetchManifest(): Promise<void> {
    if (this.#isFetching) return
    this.#isFetching = true
    for (let isNew = true; isNew && !this.#isStopped;) {
      const path = `/api/v2/iplay/manifest/${this.#playPoint}?protocol=2`
      const answer = await this.#call(path, { headers: this.#etag ? { 'if-none-match': this.#etag } : {} })
      if (answer.status === 503) {
        const seconds = this.#faults.ignoresRetryAfter ? 0.1 : Number(answer.headers.get('retry-after') ?? 1)
        await sleep(seconds * 1000 * (1 + Math.random() / 4))
        continue
      }
      isNew = answer.status === 200
      if (!isNew) break
      const { data } = (await answer.json()) as { data: SmallManifest }
      await this.#files.fetchAll(data)
      this.#adopt(data, answer.headers.get('etag'))
    }
    this.#isFetching = false
  }

  #adopt(manifest: SmallManifest, etag: string | null): void {
    const known = new Set(['protocol', 'generation', 'device', 'tags', 'settings', 'alerts', 'alertSounds'])
    for (const name of ['update', 'publications', 'files']) known.add(name)
    for (const name of Object.keys(manifest)) if (!known.has(name)) this.#debug('protocol-unknown', name)
    if (manifest.generation !== this.#manifest?.generation) this.#volume = manifest.device.volume
    this.#manifest = manifest
    this.#etag = etag
    for (const { uid, kind } of manifest.alerts) this.#alerts.meet(uid, kind)
    for (const uid of this.#alerts.open)
      if (!manifest.alerts.some(alert => alert.uid === uid)) this.#alerts.end(uid, 'air')
    if (manifest.update?.packageUid) this.#readUpdate(manifest.update)
    this.#beat()
  }

  /** It has no public key, so no signature is valid. */
  #readUpdate({ packageUid, name, version, channelName }: NonNullable<SmallManifest['update']>): void {
    if (this.#reported.has(packageUid)) return
    this.#reported.add(packageUid)
    const step = this.#faults.takesAnyUpdate ? 'verified' : 'refused'
    const message = 'no valid signature'
    this.#log.append({ kind: 'update', packageUid, packageName: name, channelName, version, step, message })
  }

  #cue(): SmallCue {
    if (!this.#manifest) return { silent: 'downloading' }
    if (this.#alerts.open.size > 0) return { silent: 'alert' }
    return this.#timeline.at(this.#manifest, this.#files.programmes, this.#now())
  }

  #play(): void {
    if (!this.#hasServerTime) return
    const now = this.#now()
    const playing = this.#playing
    if (playing) {
      const end = playing.startsAt + playing.file.durationSeconds * 1000
      const cue = this.#cue()
      const isSame =
        'file' in cue && cue.startsAt === playing.startsAt && cue.publication.uid === playing.publication.uid
      if (now < end && isSame) return
      // Within half a second of its end it is whole.
      if (now < end - 500) this.#endPlay('publication')
      else this.#endPlay(null, Math.min(now, end))
    }
    const cue = this.#cue()
    if (!('file' in cue)) return this.#beSilent(cue.silent)
    if (!this.#files.held.has(cue.file.sha256)) return
    const isJoined = now - cue.startsAt > JOIN_MS
    this.#playing = { ...cue, startedAt: isJoined ? now : cue.startsAt }
    if (Date.now() - this.#heartbeatAt > 2000) this.#beat()
  }

  #beSilent(because: string): void {
    if (this.#silence.because === because && !this.#playing) return
    this.#silence = { because, since: this.#now() }
    this.#beat()
  }

  #endPlay(why: string | null, endedAt = this.#now()): void {
    const playing = this.#playing
    this.#playing = null
    if (!playing) return
    this.#silence = { because: 'starting', since: endedAt }
    this.#log.append(describePlay(playing, { endedAt, why: this.#faults.cutsNothing ? null : why }))
  }

  #debug(code: string, message: string): void {
    if (this.#reported.has(message)) return
    this.#reported.add(message)
    this.#log.append({ kind: 'debug', level: 'warning', code, message })
  }
}
