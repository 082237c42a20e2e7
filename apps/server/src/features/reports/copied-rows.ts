import type { MessagePort } from 'node:worker_threads'
import { StringDecoder } from 'node:string_decoder'
import { freeBytes } from '../../platform/lib/free-bytes.ts'

/** What a thread asks for, and gets: a chunk of rows, or null at their end. */
async function ask(port: MessagePort): Promise<Uint8Array | null> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | null>()
  port.once('message', resolve)
  port.postMessage('next')
  return promise
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function toCell(text: string): string | null {
  if (!text.includes('\\')) return text
  if (text === '\\N') return null
  return text.replaceAll(/\\(.)/g, (_, sign: string) => ESCAPES[sign] ?? sign)
}

/** The rows of COPY's text form, which come through a port chunk by chunk; null is a cell without a value. */
export async function* copiedRows(port: MessagePort): AsyncGenerator<(string | null)[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for (let chunk = await ask(port); chunk !== null; chunk = await ask(port)) {
    const text = rest + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    freeBytes(chunk)
    const lines = text.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.split('\t').map(toCell)
  }
  port.close()
}
