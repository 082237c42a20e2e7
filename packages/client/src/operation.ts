/** What a call takes beside its input. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. */
  signal?: AbortSignal
  /**
   * How long the call may take with all its tries, in milliseconds: then it rejects with the code `deadline`. A download counts until
   * its first byte. Default: that of the client.
   */
  timeoutMs?: number
  /** The key by which the server does a change once. Default: a new UUID for each call, kept over its tries. */
  idempotencyKey?: string
}

/** How a call is made, as the contract describes it. */
export interface Operation {
  group: string
  name: string
  method: string
  /** `{name}` stands for a field of the input, `{name=value}` for one with a default. */
  path: string
  /** The fields of the input that go into the query. */
  query?: readonly string[]
  /** The form of the body: all other fields of the input, or its field `body`. */
  body?: 'json' | 'form'
  /** `data` unless told: what is inside `data`, a list of pages, bytes as they are, or JSON without `data`. */
  answer?: 'list' | 'bytes' | 'plain'
  /** A change that the server does once for its key. */
  isKeyed?: true
  /** A change without a key: it is sent once. */
  isOnce?: true
  /** The call has no input: its first argument are the options. */
  takesNothing?: true
}

export type Input = Readonly<Record<string, unknown>>

interface Sent {
  path: string
  body?: string | FormData
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function makeForm(fields: [string, unknown][]): FormData {
  const form = new FormData()
  const given = fields.filter(([, value]) => value !== undefined)
  const isFile = ([, value]: [string, unknown]) => value instanceof Blob
  // The server wants the parts that describe a file before it, and `file` as the last one.
  for (const [name, value] of given.filter(field => !isFile(field))) form.append(name, toText(value))
  const files = given
    .filter(isFile)
    .toSorted(([one], [other]) => Number(one === 'file') - Number(other === 'file'))
  for (const [name, file] of files) form.append(name, file as Blob)
  return form
}

/** The path with its query, and the body, of a call. @throws TypeError for a field of the path that is missing */
export function splitInput({ path, query = [], body }: Operation, input: Input): Sent {
  const used = new Set(query)
  const filled = path.replace(/\{(\w+)(?:=(\w+))?\}/g, (_, name: string, preset?: string) => {
    used.add(name)
    const value = input[name] ?? preset
    if (value === undefined || value === null) throw new TypeError(`${path} needs '${name}'`)
    return encodeURIComponent(toText(value))
  })
  const search = new URLSearchParams()
  for (const name of query) if (input[name] !== undefined) search.set(name, toText(input[name]))
  const sent = { path: search.size > 0 ? `${filled}?${search}` : filled }
  if (body === undefined) return sent
  const rest = Object.entries(input).filter(([name]) => !used.has(name))
  if (body === 'form') return { ...sent, body: makeForm(rest) }
  return {
    ...sent,
    body: JSON.stringify(Array.isArray(input['body']) ? input['body'] : Object.fromEntries(rest)),
  }
}
