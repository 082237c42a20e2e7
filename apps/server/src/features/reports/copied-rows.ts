import type { MessagePort } from 'node:worker_threads'
import { StringDecoder } from 'node:string_decoder'
import { chunksFrom } from '../../platform/lib/thread-streams.ts'
import { freeBytes } from '../../platform/lib/free-bytes.ts'

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
  for await (const chunk of chunksFrom(port)) {
    const text = rest + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    freeBytes(chunk)
    const lines = text.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.split('\t').map(toCell)
  }
}
