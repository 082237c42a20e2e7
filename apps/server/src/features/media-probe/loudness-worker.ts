/** A worker thread that decodes one MP3 in pieces, measures its loudness and posts the figures. */
import { open } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { MPEGDecoder } from 'mpg123-decoder'
import { createLoudnessMeter, type LoudnessFigures, type LoudnessMeter } from './loudness-meter.ts'

const PIECE_BYTES = 64 * 1024

async function measureMp3(path: string): Promise<LoudnessFigures | null> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  let meter: LoudnessMeter | null = null
  const handle = await open(path)
  try {
    for await (const piece of handle.createReadStream({ highWaterMark: PIECE_BYTES })) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(piece as Buffer)
      const [left, right = left] = channelData
      if (samplesDecoded === 0 || !left || !right) continue
      meter ??= createLoudnessMeter(sampleRate)
      meter.add(left, right)
    }
  } finally {
    decoder.free()
    await handle.close()
  }
  return meter?.finish() ?? null
}

const { path } = workerData as { path: string }
parentPort?.postMessage(await measureMp3(path))
