const HEAD_BYTES = 44

/** A WAV file of one channel. */
export function toWav(samples: Int16Array, rate: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(HEAD_BYTES - 8 + samples.byteLength, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([head, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)])
}
