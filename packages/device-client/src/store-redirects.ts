import type { ClientOptions } from '@floorcast/contract/client.ts'

export interface FileRequest {
  headers?: Record<string, string>
  signal: AbortSignal
}

/** How a program asks for the address of a file at the store. A page cannot see where a redirect leads. */
type Wish = 'redirect' | 'address'

/** The status of an answer that names an address. */
export const STATUS_OF_WISH: Readonly<Record<Wish, number>> = { redirect: 302, address: 204 }

export interface StoreOptions {
  fetch: NonNullable<ClientOptions['fetch']>
  /** Default: by redirects. */
  filesBy?: Wish
  /** The store at this origin did not send a file, which the server does now; told once for each cause. */
  onStoreFault?: (store: string, cause: unknown) => void
}

/** About an hour of heartbeats. */
const MAX_SKIPPED = 63

/**
 * The way to the store to which the server redirects for files: one step, to the origin that the server has named, without its token.
 * docs/decisions/0343.
 */
export class StoreRedirects {
  readonly #options: StoreOptions
  /** Null: no redirect is followed. */
  #origin: string | null = null
  readonly #answers = new WeakSet<Response>()
  #toldFault = ''
  /** Faults since it last sent a file, and how many namings of it are passed over yet. */
  #faults = 0
  #namingsToSkip = 0

  constructor(options: StoreOptions) {
    this.#options = options
  }

  /** What to ask the server for; null while there is no store. */
  get wish(): Wish | null {
    return this.#origin === null ? null : (this.#options.filesBy ?? 'redirect')
  }

  /** The server at `server` has named its store, or has none. */
  note(named: string | undefined, server: string): void {
    const isSkipped = this.#origin === null && this.#namingsToSkip > 0
    if (isSkipped) this.#namingsToSkip -= 1
    else this.#origin = storeOriginOf(named, server)
  }

  /** Another server is asked from now on. */
  forget(): void {
    this.#origin = null
    this.#faults = 0
    this.#namingsToSkip = 0
  }

  /** The answer of a signed address; null if the store does not send the file. @throws the abort of the signal */
  async fetch(address: string, { headers = {}, signal }: FileRequest): Promise<Response | null> {
    if (URL.parse(address)?.origin !== this.#origin) {
      this.#leave('the server has redirected to another address')
      return null
    }
    try {
      const request: RequestInit = { signal, redirect: 'manual', credentials: 'omit', headers }
      const answer = await this.#options.fetch(address, request)
      if (answer.ok) {
        this.#answers.add(answer)
        return answer
      }
      await answer.body?.cancel()
      this.#leave(`it answers HTTP ${answer.status}`)
    } catch (error) {
      this.#leave(error)
      signal.throwIfAborted()
    }
    return null
  }

  /** What came of an answer: null, the file; else why it was not. Answers of others do not count. */
  noteFile(answer: Response, fault: unknown): void {
    if (!this.#answers.has(answer)) return
    if (fault === null) this.#faults = 0
    else this.#leave(fault)
  }

  /** The server sends files itself until it names the store again; after further faults, until it has named it several times. */
  #leave(cause: unknown): void {
    const store = this.#origin ?? ''
    this.#origin = null
    this.#namingsToSkip = Math.min(2 ** this.#faults - 1, MAX_SKIPPED)
    this.#faults += 1
    if (String(cause) === this.#toldFault) return
    this.#toldFault = String(cause)
    this.#options.onStoreFault?.(store, cause)
  }
}

/** The origin of a store that a server names; null for what is none, or has no TLS where the server has. */
function storeOriginOf(named: string | undefined, server: string): string | null {
  const url = named === undefined ? null : URL.parse(named)
  if (!url || url.origin !== named || !/^https?:$/.test(url.protocol)) return null
  return server.startsWith('https:') && url.protocol === 'http:' ? null : url.origin
}
