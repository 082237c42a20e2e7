import { createHash } from 'node:crypto'
import { CallError, type Client, makeClient } from '@floorcast/contract/client.ts'
import { type ManifestReading, parseDeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { openDeviceSession, readManifest } from '@floorcast/contract/device-protocol.ts'
import { release } from '@floorcast/contract/release.ts'
import { z } from 'zod'
import type { Figures } from './figures.ts'

const CALL_MILLIS = 30_000
const ManifestAnswer = z.object({ data: z.unknown().optional() })

/** The box that a simulated device runs on: the same for the same key, so that a later run is the same box. */
export function boxIdOf(licenseKey: string): string {
  const hex = createHash('sha256').update(`fleet ${licenseKey}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** One device's line to the server: its session, and calls that open it anew when its token has ended. */
export class DeviceLink {
  readonly server: string
  readonly call: Client
  readonly #licenseKey: string
  readonly #figures: Figures
  #session: { token: string; playpointid: string } | null = null
  #opening: Promise<void> | null = null

  constructor(server: string, licenseKey: string, figures: Figures) {
    this.server = server
    this.#licenseKey = licenseKey
    this.#figures = figures
    this.call = makeClient({
      base: server,
      token: () => this.#session?.token ?? null,
      fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(CALL_MILLIS) }),
    })
  }

  get session(): { token: string; playpointid: string } {
    if (!this.#session) throw new Error('no session is open')
    return this.#session
  }

  /** Opens a session unless there is one. */
  async open(): Promise<void> {
    if (this.#session) return
    this.#opening ??= this.#openAnew().finally(() => (this.#opening = null))
    await this.#opening
  }

  /** Makes a call; when the token has ended, once more with a new one. */
  async withSession<T>(call: (session: { token: string; playpointid: string }) => Promise<T>): Promise<T> {
    await this.open()
    const { session } = this
    try {
      return await call(session)
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 401) throw error
      if (this.#session === session) this.#session = null
      await this.open()
      return call(this.session)
    }
  }

  /** The newest manifest; null when it is still the one held. */
  async readManifest(held: string | null): Promise<(ManifestReading & { etag: string }) | null> {
    return this.withSession(({ token, playpointid }) =>
      this.#figures.manifests.time(async () => {
        const path = readManifest.path.replace('{playpointid}', playpointid)
        const answer = await fetch(this.server + path, {
          headers: { authorization: `Bearer ${token}`, ...(held ? { 'if-none-match': held } : {}) },
          signal: AbortSignal.timeout(CALL_MILLIS),
        })
        if (answer.status === 304) return null
        if (!answer.ok) throw new CallError(answer.status, null)
        const reading = parseDeviceManifest(ManifestAnswer.parse(await answer.json()).data)
        if (!reading) throw new CallError(answer.status, null)
        return { ...reading, etag: answer.headers.get('etag') ?? '' }
      }),
    )
  }

  async #openAnew(): Promise<void> {
    const body = {
      licenseKey: this.#licenseKey,
      boxId: boxIdOf(this.#licenseKey),
      model: 'Fleet simulator',
      version: release.version,
    }
    this.#session = await this.#figures.sessions.time(() => this.call(openDeviceSession, { body }))
  }
}
