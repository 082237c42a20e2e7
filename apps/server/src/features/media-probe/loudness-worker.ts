/** A worker that decodes MP3s in pieces and measures their loudness. */
import { open } from 'node:fs/promises'
import { MPEGDecoder } from 'mpg123-decoder'
import { answerJobs } from '../../platform/lib/worker-jobs.ts'
import { createLoudnessMeter, type LoudnessFigures, type LoudnessMeter } from './loudness-meter.ts'

const PIECE_BYTES = 64 * 1024

async function measureMp3({ path }: { path: string }): Promise<LoudnessFigures | null> {
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

answerJobs(measureMp3)
