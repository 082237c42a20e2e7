import { buildPath } from '@floorcast/contract/client.ts'
import { followLive, LiveLine, MAX_OPENING_MS, MAX_READING_MS } from '@floorcast/contract/change-feed.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { endExpiredSession } from './client.ts'
import { apiAddress } from './api-base.ts'
import { pauseFor } from './pause.ts'
import { sessionStore } from './session.ts'
import { createStore } from './store.ts'

const firstWaitSeconds = 1
/** However long the server has been away, the pages are current within seconds of its return. */
const maxWaitSeconds = 5
/** A line that takes packets and returns none fails after minutes. */
const maxAnswerMs = 10_000
/** One broken stream may be a server that restarts; the console shows two in a row as an outage. */
const failuresShown = 2

/** Whether the server answers, as far as the change feed knows. */
export const serverAnswers = createStore(true)

type OnChange = (entity: NonNullable<LiveLine['thing']>) => void

interface Listener {
  /** When the page began to read, by `performance.now()`: the first stream begins with what changed since. */
  readingSince: number
  /** Called with the entity of each change. */
  onChange: OnChange
  /** Called when changes may have been missed, as after a stream that broke. */
  onMissed: () => void
}

/** Reads the change feed until the signal aborts. When the stream breaks, it connects again after a growing wait. */
export async function listenToChangeFeed(
  signal: AbortSignal,
  { readingSince, onChange, onMissed }: Listener,
): Promise<void> {
  let waitSeconds = firstWaitSeconds
  let failures = 0
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    let toldMs: number | undefined
    try {
      const sentAt = performance.now()
      const readingForMs = Math.ceil(sentAt - readingSince)
      const asksForMissed = attempt === 0 && readingForMs <= MAX_READING_MS
      const answer = await openStream(signal, asksForMissed ? { readingForMs } : {})
      const isFromServer = comesFromServer(answer)
      // An unread body would hold its connection.
      if (!isFromServer || !answer.ok) await answer.body?.cancel()
      if (!isFromServer) throw new Error('Something else than the server has answered')
      failures = 0
      serverAnswers.set(true)
      if (answer.status === 401) return endExpiredSession()
      if (answer.ok && answer.body) {
        if (!asksForMissed || performance.now() - sentAt > MAX_OPENING_MS) onMissed()
        waitSeconds = firstWaitSeconds
        toldMs = await readLines(answer.body, onChange)
      }
    } catch {
      // The loop opens a broken stream again.
      failures += 1
      if (failures >= failuresShown && !signal.aborted) serverAnswers.set(false)
    }
    await pauseFor(toldMs === undefined ? waitSeconds : toldMs / 1000, signal)
    waitSeconds = Math.min(maxWaitSeconds, waitSeconds * 2)
  }
}

/** False for the HTML of a network's sign-in page, or of a proxy whose server is away: the server's own refusals are JSON. */
const comesFromServer = ({ ok, headers }: Response) =>
  (ok ? /ndjson/ : /json/).test(headers.get('content-type') ?? '')

async function openStream(signal: AbortSignal, query: QueryOf<typeof followLive>): Promise<Response> {
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(), maxAnswerMs)
  try {
    return await fetch(await apiAddress(buildPath(followLive.path, {}, query)), {
      headers: { authorization: `Bearer ${sessionStore.get().token}`, accept: 'application/x-ndjson' },
      signal: AbortSignal.any([signal, stalled.signal]),
    })
  } finally {
    clearTimeout(timer)
  }
}

/** @returns the wait that a server has told that stops */
async function readLines(
  body: ReadableStream<Uint8Array>,
  onChange: OnChange,
): Promise<LiveLine['retryAfterMs']> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  let toldMs: LiveLine['retryAfterMs']
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return toldMs
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) toldMs = readLine(line, onChange)?.retryAfterMs ?? toldMs
  }
}

/** Empty lines keep the stream open. */
function readLine(text: string, onChange: OnChange): LiveLine | undefined {
  if (text.trim() === '') return
  const line = LiveLine.safeParse(JSON.parse(text)).data
  if (line?.thing) onChange(line.thing)
  return line
}
