/** A worker that decodes one picture and encodes its pixels. */
import { readFile } from 'node:fs/promises'
import decodeJpeg, { init as openJpegDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as openJpegEncoder } from '@jsquash/jpeg/encode.js'
import decodePng, { init as openPngDecoder } from '@jsquash/png/decode.js'
import { answerJobs } from '../../platform/lib/worker-jobs.ts'

export type PictureType = 'image/jpeg' | 'image/png'

export interface PictureJob {
  bytes: Uint8Array
  contentType: PictureType
  /** The largest size of the new picture. */
  maxBytes: number
}

const decoders = { 'image/png': decodePng, 'image/jpeg': decodeJpeg }

/** The next one is for a picture that is too large by the one before. */
const QUALITIES = [90, 70, 40]

const readCodec = (path: string) => readFile(new URL(import.meta.resolve(path)))

/** The decoder goes on after an error in the data, shows gray, and says so here. */
let isDamaged = false
const printErr = () => {
  isDamaged = true
}
await openPngDecoder(await readCodec('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
await openJpegDecoder({
  wasmBinary: await readCodec('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'),
  printErr,
})
await openJpegEncoder({ wasmBinary: await readCodec('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm') })

/** Null if the bytes are no picture of this type. */
async function decode({ bytes, contentType }: PictureJob): Promise<JSquash.Pixels | null> {
  try {
    const pixels = await decoders[contentType](bytes)
    return isDamaged ? null : pixels
  } catch {
    return null
  }
}

answerJobs(async (job: PictureJob): Promise<Uint8Array | null> => {
  const pixels = await decode(job)
  if (!pixels) return null
  for (const quality of QUALITIES) {
    const bytes = new Uint8Array(await encodeJpeg(pixels, { quality, progressive: false, quant_table: 0 }))
    if (bytes.length <= job.maxBytes) return bytes
  }
  return null
})
