import { CallError, type Client, type ClientOptions, makeClient } from '@floorcast/contract/client.ts'
import { openDeviceSession } from '@floorcast/contract/device-protocol.ts'

/** Why the server accepts no session of this device; it will not change its mind. */
export type Refusal = 'license-bound' | 'license-unknown'

const refusalMessages: Record<Refusal, string> = {
  'license-bound':
    "This licence key belongs to another player. Choose 'New licence key' on the device's card and start with the new key.",
  'license-unknown':
    "No device has this licence key. Copy the key or the install line from the device's card.",
}

/** The server refused the licence key for good. */
export class LicenseRefused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal, cause: CallError) {
    super(cause.problem?.detail ?? refusalMessages[refusal], { cause })
    this.name = 'LicenseRefused'
    this.refusal = refusal
  }
}

function toLicenseError(error: unknown): unknown {
  const code = error instanceof CallError ? error.problem?.code : undefined
  const isRefusal = code === 'license-bound' || code === 'license-unknown'
  return isRefusal && error instanceof CallError ? new LicenseRefused(code, error) : error
}

/** What a device keeps of its session over restarts. */
export interface StoredSession {
  licenseKey: string
  /** The device's uid. */
  playPointUid: string
  /** Null when it is lost; the device then opens another session. */
  token: string | null
}

export interface SessionStorage {
  /** Null before the first session. */
  read: () => StoredSession | null
  write: (session: StoredSession & { token: string }) => void
}

export interface SessionOptions {
  /** The server's origin. */
  server: string
  licenseKey: string
  /** The player device's own uid, made once; the licence key is bound to it. `boxId` in the protocol. */
  hardwareId: string
  /** What the machine calls itself. */
  model: string
  version: string
  storage: SessionStorage
  fetch: NonNullable<ClientOptions['fetch']>
  /** The licence key made this player another device than it was. */
  onOtherDevice: () => void
}

const CALL_TIMEOUT_MS = 20_000

/** The device's session: licence key and hardware id for a token, and the calls that it authorizes. */
export class DeviceSession {
  /** The server's origin, without a slash at its end. */
  readonly origin: string
  readonly call: Client
  readonly #options: SessionOptions
  #token: string | null
  #playPointUid: string | null

  constructor(options: SessionOptions) {
    this.#options = options
    this.origin = options.server.replace(/\/+$/, '')
    const stored = this.wasBound ? options.storage.read() : null
    this.#token = stored?.token ?? null
    this.#playPointUid = this.#token === null ? null : (stored?.playPointUid ?? null)
    this.call = makeClient({
      base: this.origin,
      token: () => this.#token,
      fetch: (input, init) => options.fetch(input, withTimeout(init)),
    })
  }

  /** The device's uid; null before the first session. */
  get playPointUid(): string | null {
    return this.#playPointUid
  }
  get token(): string | null {
    return this.#token
  }
  /** This key has opened a session before, as the storage knows. */
  get wasBound(): boolean {
    return this.#options.storage.read()?.licenseKey === this.#options.licenseKey
  }

  /** Fetches a path of the server with the device's token; the caller's signal is the time limit. */
  fetch(
    path: string,
    { headers = {}, signal }: { headers?: Record<string, string>; signal: AbortSignal },
  ): Promise<Response> {
    const authorization = `Bearer ${this.#token ?? ''}`
    return this.#options.fetch(this.origin + path, { signal, headers: { ...headers, authorization } })
  }

  /** Opens a session unless there is one. Raises `LicenseRefused`, or `CallError` when the server is away. */
  async open(): Promise<void> {
    if (this.#token !== null && this.#playPointUid !== null) return
    const { licenseKey, hardwareId, model, version, storage, onOtherDevice } = this.#options
    try {
      const body = { licenseKey, boxId: hardwareId, model, version }
      const answer = await this.call(openDeviceSession, { body })
      this.#token = answer.token
      this.#playPointUid = answer.playpointid
    } catch (error) {
      throw toLicenseError(error)
    }
    const former = storage.read()?.playPointUid
    if (former !== undefined && former !== this.#playPointUid) onOtherDevice()
    storage.write({ licenseKey, playPointUid: this.#playPointUid, token: this.#token })
  }

  /** Forgets the token that the server no longer accepts; the next `open` asks for another. */
  forgetToken(refused: string | null): void {
    if (refused === this.#token) this.#token = null
  }
}

function withTimeout(init: RequestInit | undefined): RequestInit {
  const limit = AbortSignal.timeout(CALL_TIMEOUT_MS)
  return { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit }
}
