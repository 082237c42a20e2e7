import { buildPath } from '@floorcast/contract/client.ts'
import { followLive, LiveLine } from '@floorcast/contract/change-feed.ts'
import { endExpiredSession } from './client.ts'
import { sessionStore } from './session.ts'
import { createStore } from './store.ts'

const firstWaitMs = 1_000
const longestWaitMs = 30_000
/** One broken stream may be a server that starts anew; two in a row are told. */
const toldAfter = 2

/** Whether the server answers, as far as the live stream knows. */
export const serverAnswers = createStore(true)

/**
 * Reads the live stream until told to stop, connecting again with a growing wait when it breaks.
 * @param onLine one change; an empty line only keeps the stream open and is not passed on
 * @param onReconnect the stream was broken: what happened meanwhile is not known
 */
export async function listenToChangeFeed(
  signal: AbortSignal,
  onLine: (line: LiveLine) => void,
  onReconnect: () => void,
): Promise<void> {
  let waitMs = firstWaitMs
  let failures = 0
  for (let turn = 0; !signal.aborted; turn += 1) {
    try {
      const answer = await openStream(signal)
      failures = 0
      serverAnswers.set(true)
      if (answer.status === 401) return endExpiredSession()
      if (answer.ok && answer.body) {
        if (turn > 0) onReconnect()
        waitMs = firstWaitMs
        await readLines(answer.body, onLine)
      }
    } catch {
      // A broken stream is the way's fault: it is opened again below.
      failures += 1
      if (failures >= toldAfter && !signal.aborted) serverAnswers.set(false)
    }
    await pause(waitMs, signal)
    waitMs = Math.min(longestWaitMs, waitMs * 2)
  }
}

function openStream(signal: AbortSignal): Promise<Response> {
  return fetch(buildPath(followLive.path), {
    headers: { authorization: `Bearer ${sessionStore.get().token}`, accept: 'application/x-ndjson' },
    signal,
  })
}

async function readLines(body: ReadableStream<Uint8Array>, onLine: (line: LiveLine) => void): Promise<void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line, onLine)
  }
}

function readLine(text: string, onLine: (line: LiveLine) => void): void {
  if (text.trim() === '') return
  const line = LiveLine.safeParse(JSON.parse(text)).data
  if (line?.thing) onLine(line)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
