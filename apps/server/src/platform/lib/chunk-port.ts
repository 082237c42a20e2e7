import type { Readable } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'

/* Chunks of bytes on their way to a thread, one each time that it asks: a thread that is slow holds their source back. */

/** The thread takes over a chunk that has its memory for itself; of another one it gets a copy. */
function hand(port: MessagePort, chunk: Buffer): void {
  const { buffer } = chunk
  const isAlone = buffer.byteLength === chunk.byteLength && buffer instanceof ArrayBuffer
  port.postMessage(isAlone ? chunk : new Uint8Array(chunk), isAlone ? [buffer] : [])
}

/** Hands chunks to a thread, one each time it asks. Without the rest of them the port closes. */
export function serveChunks(port: MessagePort, chunks: Readable): void {
  const each = chunks[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  port.on('message', () => {
    each.next().then(
      ({ value, done }) => (done ? port.postMessage(null) : hand(port, value)),
      // Whoever made the stream has the same error.
      () => port.close(),
    )
  })
}

/** What a thread asks for, and gets: a chunk, or null at their end. */
async function ask(port: MessagePort): Promise<Uint8Array | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | null>()
  const broken = () => reject(new Error('The chunks end too early'))
  port.once('message', resolve).once('close', broken)
  port.postMessage('next')
  try {
    return await promise
  } finally {
    port.off('message', resolve).off('close', broken)
  }
}

/** The chunks that come through a port. */
export async function* chunksFrom(port: MessagePort): AsyncGenerator<Uint8Array> {
  for (let chunk = await ask(port); chunk !== null; chunk = await ask(port)) yield chunk
  port.close()
}
