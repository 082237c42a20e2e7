import { PassThrough } from 'node:stream'
import { type FollowedEntity, followLive, type LiveLine } from '@floorcast/contract/change-feed.ts'
import type { Context } from '../../context.ts'
import { UserSessionWatch } from '../../platform/auth/user-session-watch.ts'
import type { Http } from '../../platform/http/http.ts'
import { openChangeFeed } from './change-feed.ts'

const KEEP_ALIVE_MS = 20_000
/** Changes of this time are sent together, each item once: a thousand devices report often. */
const BATCH_MS = 200
/**
 * What devices report is notified after its commit (collected-notices.ts), so that a server that is killed leaves some of it
 * untold. Each stream names these entities again so often, or somewhat sooner: streams that began together spread.
 */
const REPEAT_MS = 300_000
const REPORTED: readonly FollowedEntity[] = ['device', 'play', 'publication']
/** The server closes a stream whose reader is further behind; the reader reads everything again when it reconnects. */
const MAX_BUFFERED_BYTES = 262_144
/** The time that a reader has to read the end of its stream. */
const END_TIMEOUT_MS = 5000

/** The stream of one reader, with changes in batches. */
function openLineStream() {
  const stream = new PassThrough()
  const waiting = new Map<string, LiveLine>()
  let timer: NodeJS.Timeout | null = null
  const write = (line: LiveLine) => {
    if (stream.writableLength > MAX_BUFFERED_BYTES) stream.destroy()
    else if (stream.writable) stream.write(`${JSON.stringify(line)}\n`)
  }
  const flush = () => {
    timer = null
    for (const line of waiting.values()) write(line)
    waiting.clear()
  }
  const add = (line: LiveLine) => {
    waiting.set(`${line.thing} ${line.uid}`, line)
    timer ??= setTimeout(flush, BATCH_MS)
  }
  const keepOpen = setInterval(() => write({}), KEEP_ALIVE_MS)
  const repeating = setInterval(
    () => REPORTED.forEach(thing => add({ thing })),
    REPEAT_MS * (1 - Math.random() / 5),
  )
  stream.once('close', () => {
    clearInterval(keepOpen)
    clearInterval(repeating)
    if (timer) clearTimeout(timer)
  })
  write({})
  return {
    stream,
    add,
    end(retryAfterMs?: number) {
      flush()
      if (retryAfterMs !== undefined) write({ retryAfterMs })
      stream.end()
      setTimeout(() => stream.destroy(), END_TIMEOUT_MS).unref()
    },
  }
}

export function registerChangeFeed(http: Http, context: Context): void {
  const { bus, database, installation, log, now } = context
  const feed = openChangeFeed(bus, installation)
  const sessions = new UserSessionWatch({ auth: database.auth, bus, log, now })
  http.shutdown.onLeave(hurry => feed.leave(hurry))
  http.app.addHook('preClose', done => {
    feed.close()
    sessions.close()
    done()
  })
  http.streamToUsers(followLive, async ({ session, query, reply }) => {
    const lines = openLineStream()
    const stopFollowing = feed.follow({
      clientId: session.clientId,
      onChange: line => lines.add(line),
      onEnd: retryAfterMs => lines.end(retryAfterMs),
    })
    if (query.readingForMs !== undefined)
      for (const thing of feed.changedSince(session.clientId, query.readingForMs)) lines.add({ thing })
    const stopWatching = sessions.watch({ session, onEnd: () => lines.end() })
    lines.stream.once('close', () => {
      stopFollowing()
      stopWatching()
    })
    return reply
      .type('application/x-ndjson; charset=utf-8')
      .header('x-accel-buffering', 'no')
      .send(lines.stream)
  })
}
