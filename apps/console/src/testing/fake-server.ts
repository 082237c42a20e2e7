import { followLive, type LiveLine } from '@floorcast/contract/change-feed.ts'
import { CallError } from '@floorcast/contract/client.ts'
import type { AnswerOf, Endpoint, ParamsOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { vi } from 'vitest'

interface ReceivedCall {
  /** Method and path. */
  call: string
  query: Record<string, string>
  body: unknown
}

type Params = Record<string, string>

interface Answering {
  method: string
  path: RegExp
  answer: (received: ReceivedCall, params: Params) => unknown
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

/** Makes the browser's view of an answer: that of a call, or a failure of it; status 0 is a lost connection. */
async function respond(answer: () => unknown): Promise<Response> {
  try {
    return Response.json({ data: await answer() })
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.status === 0) throw new TypeError('Failed to fetch', { cause: error })
    return Response.json(error.problem ?? {}, { status: error.status })
  }
}

/** The refusal of a call: an answer function throws it. */
export const refusal = (status: number, problem: Partial<Problem> = {}): CallError =>
  new CallError(status, { type: 'about:blank', title: 'Refused', status, ...problem })

/** The refusal of a field. @param message a key of `fields.json` */
export const wrongField = (path: string, message: string): CallError =>
  refusal(422, { errors: [{ path, message }] })

/** The server refuses fields that a call does not declare. @throws Error that names them */
function checkSent({ method, path, ...schemas }: Endpoint, sent: Pick<ReceivedCall, 'query' | 'body'>): void {
  for (const part of ['query', 'body'] as const) {
    const issues = sent[part] === null ? [] : (schemas[part].safeParse(sent[part]).error?.issues ?? [])
    const unknown = issues.flatMap(issue => (issue.code === 'unrecognized_keys' ? issue.keys : []))
    if (unknown.length > 0) throw new Error(`${method} ${path} does not know ${unknown.join(', ')}`)
  }
}

/**
 * Stands for the server in a component's test, where the browser would call it: `fetch`. Answers are functions of the test, typed
 * and checked by the contract; a `CallError` that they throw is the failure that the component sees. A call without an answer is an
 * error of the test.
 */
export class FakeServer {
  readonly calls: ReceivedCall[] = []
  readonly #answers: Answering[] = []
  #feed: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor() {
    vi.stubGlobal('fetch', (address: string | URL, init: RequestInit = {}) => this.#receive(address, init))
  }

  /** The newest answer of an endpoint counts. */
  answer<E extends Endpoint>(
    endpoint: E,
    answer: (
      query: Partial<Record<keyof QueryOf<E>, string>>,
      body: unknown,
      params: Record<keyof ParamsOf<E>, string>,
    ) => AnswerOf<E> | Promise<AnswerOf<E>>,
  ): void {
    this.#answers.unshift({
      method: endpoint.method,
      path: patternOf(endpoint.path),
      answer: async ({ query, body }, params) => {
        checkSent(endpoint, { query, body })
        const asked = query as Partial<Record<keyof QueryOf<E>, string>>
        return endpoint.answer.parse(await answer(asked, body, params as Record<keyof ParamsOf<E>, string>))
      },
    })
  }

  /** Tells the pages that follow the change feed of a change. Without one, the feed is silent. */
  tell(line: LiveLine): void {
    this.#feed?.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`))
  }

  #openFeed(): Response {
    const lines = new ReadableStream<Uint8Array>({ start: feed => void (this.#feed = feed) })
    return new Response(lines, { headers: { 'content-type': 'application/x-ndjson' } })
  }

  async #receive(address: string | URL, { method = 'GET', body }: RequestInit): Promise<Response> {
    const { pathname, searchParams } = new URL(address, location.origin)
    // The components under test have no settings of an installation.
    if (pathname === '/config.json') return new Response(null, { status: 404 })
    if (pathname === followLive.path) return this.#openFeed()
    const received = {
      call: `${method} ${pathname}`,
      query: Object.fromEntries(searchParams),
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : null,
    }
    this.calls.push(received)
    const found = this.#answers.find(each => each.method === method && each.path.test(pathname))
    if (!found) throw new Error(`The test has no answer to ${received.call}`)
    const params = found.path.exec(pathname)?.groups ?? {}
    return respond(() => found.answer(received, params))
  }
}
