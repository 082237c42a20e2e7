import { CallError, type Client, makeClient } from '@floorcast/contract/client.ts'
import { openDeviceSession } from '@floorcast/contract/device-protocol.ts'
import { FILES_HEADER } from '@floorcast/contract/files-header.ts'
import { boundAnswer, MAX_ANSWER_BYTES } from './bounded-answers.ts'
import { type FileRequest, STATUS_OF_WISH, type StoreOptions, StoreRedirects } from './store-redirects.ts'

/** Why the server permanently refuses a session. */
export type Refusal = 'license-bound' | 'license-unknown'

const refusalMessages: Record<Refusal, string> = {
  'license-bound':
    "This license key belongs to another player. Choose 'New licence key' on the device's card and start with the new key.",
  'license-unknown':
    "No device has this license key. Copy the key or the install command from the device's card.",
}

/** The server refused the license key permanently. */
export class LicenseRefused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal, cause: CallError) {
    super(cause.problem?.detail ?? refusalMessages[refusal], { cause })
    this.name = 'LicenseRefused'
    this.refusal = refusal
  }
}

function toSessionError(error: unknown): unknown {
  const code = error instanceof CallError ? error.problem?.code : undefined
  if (code === 'session-replaced' && error instanceof CallError) return new SessionReplaced(error)
  const isRefusal = code === 'license-bound' || code === 'license-unknown'
  return isRefusal && error instanceof CallError ? new LicenseRefused(code, error) : error
}

/** Another player has opened a session of this device since the one that this player had. */
export class SessionReplaced extends Error {
  constructor(cause: CallError) {
    super(cause.problem?.detail ?? 'Another player reports for this device now', { cause })
    this.name = 'SessionReplaced'
  }
}

/**
 * The part of a session that survives a restart. A token belongs to one running player and does not: two copies of a disk
 * would both have it.
 */
export interface StoredSession {
  licenseKey: string
  /** The device's uid. */
  playPointUid: string
}

export interface SessionStorage {
  /** Null before the first session. */
  read: () => StoredSession | null
  write: (session: StoredSession) => void
}

/** A session as the server has opened it. */
export interface OpenedSession {
  token: string
  playpointid: string
  /** Servers of former releases do not name it. */
  session?: string | undefined
  /** Nor the client. */
  client?: string | undefined
}

/** How a player shows who it is. */
export interface Opening {
  /** @param former the session that this start of the program had @throws CallError */
  open: (call: Client, former: { formerSession?: string }) => Promise<OpenedSession>
  /** Whether the server has accepted this player before. */
  readonly wasBound: boolean
  /** The session is open. */
  onOpened: (playPointUid: string) => void
}

export interface LicenseOptions {
  licenseKey: string
  /** The player device's permanent uid, to which the server binds the license key. `boxId` in the protocol. */
  hardwareId: string
  /** One for each start of the program. */
  runId: string
  /** The hardware's model. */
  model: string
  version: string
  storage: SessionStorage
  /** The license key belongs to another device than the stored session. */
  onOtherDevice: () => void
}

/** Opens sessions with a license key. */
export function byLicense(options: LicenseOptions): Opening {
  const { licenseKey, hardwareId: boxId, runId, model, version, storage, onOtherDevice } = options
  return {
    open: (call, former) =>
      call(openDeviceSession, { body: { licenseKey, boxId, model, version, runId, ...former } }),
    get wasBound() {
      return storage.read()?.licenseKey === licenseKey
    },
    onOpened(playPointUid) {
      const previous = storage.read()?.playPointUid
      if (previous !== undefined && previous !== playPointUid) onOtherDevice()
      storage.write({ licenseKey, playPointUid })
    },
  }
}

export interface SessionOptions extends StoreOptions {
  /** The server's origin, which `moveTo` changes. */
  server: string
  opening: Opening
}

const CALL_TIMEOUT_MS = 20_000

/** Whether a path that the server sent stays on the server. Without the slash it would continue the host's name or port. */
export const isServerPath = (path: string): boolean => path.startsWith('/')

/** The device's session: it exchanges a license key, or a user's token, for the token of its device, and authorizes calls with it. */
export class DeviceSession {
  readonly call: Client
  readonly #options: SessionOptions
  #origin: string
  #token: string | null = null
  #playPointUid: string | null = null
  #sessionUid: string | undefined
  #clientUid: string | undefined
  readonly #store: StoreRedirects

  constructor(options: SessionOptions) {
    this.#options = options
    this.#origin = options.server.replace(/\/+$/, '')
    this.#store = new StoreRedirects(options)
    this.call = makeClient({
      base: () => this.#origin,
      token: () => this.#token,
      fetch: async (input, init) =>
        boundAnswer(
          await options.fetch(input, { ...withTimeout(init), redirect: 'manual' }),
          MAX_ANSWER_BYTES,
        ),
    })
  }

  /** The server's origin, without a slash at its end. */
  get origin(): string {
    return this.#origin
  }

  /** The device's uid; null before the first session. */
  get playPointUid(): string | null {
    return this.#playPointUid
  }
  /** The newest session of this start; undefined before the first one and with servers of former releases. */
  get sessionUid(): string | undefined {
    return this.#sessionUid
  }
  /** The uid of the device's client; undefined before the first session and with servers of former releases. */
  get clientUid(): string | undefined {
    return this.#clientUid
  }
  get token(): string | null {
    return this.#token
  }
  /** Whether this player has opened a session before. */
  get wasBound(): boolean {
    return this.#options.opening.wasBound
  }

  /**
   * Fetches a path of the server with the device's token. The caller's signal sets the time limit. The token goes to the
   * server that opened the session and nowhere else: a redirect is not followed, and its status is the answer's.
   * @throws TypeError for a path that leads to another server
   */
  async fetch(path: string, { headers = {}, signal }: FileRequest): Promise<Response> {
    if (!isServerPath(path)) throw new TypeError(`'${path}' is not a path of the server`)
    const authorization = `Bearer ${this.#token ?? ''}`
    return this.#options.fetch(this.#origin + path, {
      signal,
      redirect: 'manual',
      headers: { ...headers, authorization },
    })
  }

  /** Takes the origin that the server names as that of its store, at each of its answers; undefined: it sends files itself. */
  noteFileStore(named: string | undefined): void {
    this.#store.note(named, this.#origin)
  }

  /** What came of an answer of `fetchFile`: null, the file; else why it was not. */
  noteFile(answer: Response, fault: unknown): void {
    this.#store.noteFile(answer, fault)
  }

  /**
   * Fetches a file of the server as `fetch` does, or from the store that the server has named. Where the store does not send it, the
   * server does. @throws TypeError for a path that leads to another server
   */
  async fetchFile(path: string, request: FileRequest): Promise<Response> {
    const { wish } = this.#store
    if (wish === null) return this.fetch(path, request)
    const named = await this.fetch(path, {
      ...request,
      headers: { ...request.headers, [FILES_HEADER]: wish },
    })
    if (named.status !== STATUS_OF_WISH[wish]) return named
    await named.body?.cancel()
    const address = named.headers.get('location') ?? ''
    return (await this.#store.fetch(address, request)) ?? this.fetch(path, request)
  }

  /** Opens a session unless there is one. @throws LicenseRefused, SessionReplaced, or CallError if the server does not answer */
  async open(): Promise<void> {
    if (this.#token !== null && this.#playPointUid !== null) return
    const { opening } = this.#options
    const former = this.#sessionUid === undefined ? {} : { formerSession: this.#sessionUid }
    try {
      const answer = await opening.open(this.call, former)
      this.#token = answer.token
      this.#playPointUid = answer.playpointid
      this.#sessionUid = answer.session
      this.#clientUid = answer.client
    } catch (error) {
      throw toSessionError(error)
    }
    opening.onOpened(this.#playPointUid)
  }

  /** Goes to another address of the server. The token belongs to the former one, so that the next `open` asks for another. */
  moveTo(origin: string): void {
    this.#origin = origin
    this.#token = null
    this.#store.forget()
  }

  /** Discards a token that the server no longer accepts. The next `open` requests another. */
  forgetToken(refused: string | null): void {
    if (refused === this.#token) this.#token = null
  }
}

function withTimeout(init: RequestInit | undefined): RequestInit {
  const limit = AbortSignal.timeout(CALL_TIMEOUT_MS)
  return { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit }
}
