import { CallError, type Client, makeClient } from '@floorcast/contract/client.ts'
import { openDeviceSession } from '@floorcast/contract/device-protocol.ts'
import { release } from '@floorcast/contract/release.ts'
import { randomUUID } from 'node:crypto'
import { readModel } from '../report/machine.ts'
import { readToken, type StateStore, writeToken } from '../store/state-store.ts'

/** Why the server will have nothing to do with this box; each ends the agent with a code of its own. */
export type Refusal = 'license-bound' | 'license-unknown'

const words: Record<Refusal, string> = {
  'license-bound':
    "This licence key belongs to another box. Choose 'New licence key' on the device's card and start with the new key.",
  'license-unknown':
    "No device has this licence key. Copy the key or the install line from the device's card.",
}

/** The server refused the licence key for good. */
export class LicenseRefused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal, cause: CallError) {
    super(cause.problem?.detail ?? words[refusal], { cause })
    this.name = 'LicenseRefused'
    this.refusal = refusal
  }
}

const CALL_TIMEOUT = 20_000

export interface ServerLink {
  /** The server's origin, without a slash at its end. */
  origin: string
  call: Client
  /** Fetches below the origin with the device's token; a time limit comes from the caller's signal. */
  fetch: (path: string, init: { headers?: Record<string, string>; signal: AbortSignal }) => Promise<Response>
  /** The device's uid; null before the first session. */
  playPoint: () => string | null
  token: () => string | null
  /** This key has opened a session from this folder before. */
  wasBound: () => boolean
  /** Opens a session unless there is one. Raises `LicenseRefused`, or `CallError` when the server is away. */
  open: () => Promise<void>
  /** Forgets the token that the server no longer takes; the next `open` asks for another. */
  forgetToken: (refused: string | null) => void
}

function licenseError(error: unknown): unknown {
  const code = error instanceof CallError ? error.problem?.code : undefined
  const isRefusal = code === 'license-bound' || code === 'license-unknown'
  return isRefusal && error instanceof CallError ? new LicenseRefused(code, error) : error
}

export interface LinkOptions {
  server: string
  licenseKey: string
  dataDir: string
  state: StateStore
  /** The key has made this box another device than it was. */
  onOtherDevice: () => void
}

/** The line to the server: licence key and box id for a token, kept on the disk over restarts. */
export function makeServerLink(options: LinkOptions): ServerLink {
  const { licenseKey, dataDir, state } = options
  const origin = options.server.replace(/\/+$/, '')
  const usedKey = state.read('license-key')
  let token = usedKey === licenseKey ? readToken(dataDir) : null
  const readPlayPoint = () => state.read('playpointid') as string | null
  let playPoint = token ? readPlayPoint() : null
  const boxId = (state.read('box-id') as string | null) ?? randomUUID()
  state.write('box-id', boxId)
  const call = makeClient({
    base: origin,
    token: () => token,
    fetch: (input, init) => fetch(input, withTimeout(init)),
  })

  async function openSession(): Promise<void> {
    try {
      const body = { licenseKey, boxId, model: readModel(), version: release.version }
      const answer = await call(openDeviceSession, { body })
      token = answer.token
      playPoint = answer.playpointid
    } catch (error) {
      throw licenseError(error)
    }
    const former = readPlayPoint()
    if (former !== null && former !== playPoint) options.onOtherDevice()
    writeToken(dataDir, token)
    state.write('playpointid', playPoint)
    state.write('license-key', licenseKey)
  }
  return {
    origin,
    call,
    fetch: (path, { headers = {}, signal }) =>
      fetch(origin + path, { signal, headers: { ...headers, authorization: `Bearer ${token ?? ''}` } }),
    playPoint: () => playPoint,
    token: () => token,
    wasBound: () => state.read('license-key') === licenseKey,
    async open() {
      if (token === null || playPoint === null) await openSession()
    },
    forgetToken(refused) {
      if (refused === token) token = null
    },
  }
}

function withTimeout(init: RequestInit | undefined): RequestInit {
  const limit = AbortSignal.timeout(CALL_TIMEOUT)
  return { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit }
}
