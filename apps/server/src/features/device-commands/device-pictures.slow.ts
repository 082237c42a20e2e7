import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import { readScreenshot, sendCommand, sendDeviceFile } from '@floorcast/contract/device-commands.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { screenshotFixture } from '@floorcast/testing/media-fixtures.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import decodeJpeg, { init as openDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as openEncoder } from '@jsquash/jpeg/encode.js'
import { expect, test } from 'vitest'
import { registerDeviceCommands } from './device-commands-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerDeviceCommands, registerDeviceHost],
})
const { token, scope } = await server.newClient()

const readCodec = (path: string) => readFile(new URL(import.meta.resolve(path)))
await openDecoder({ wasmBinary: await readCodec('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm') })
await openEncoder({ wasmBinary: await readCodec('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm') })

type PictureType = 'image/jpeg' | 'image/png'

/** Asks a device for a screenshot, which it delivers. @returns the status of the delivery, and what is stored */
async function deliver(contentType: PictureType, picture: Buffer) {
  const { uid, licenseKey } = await makeDevice(scope, { kind: 'video' })
  const player = await openPlayer(server, licenseKey)
  const call = { token, params: { uid } }
  const { uid: id = '' } = await server.call(sendCommand, { ...call, body: { command: 'screenshot' } })
  const send = () =>
    server.ask(sendDeviceFile, {
      token: player.token,
      params: { playpointid: player.deviceUid, id },
      body: { contentType, content: picture.toString('base64') },
    })
  const { statusCode } = await send()
  const stored = await server.ask(readScreenshot, call)
  return { statusCode, stored, send }
}

/** The ratio of the signal to what differs, in decibels. */
function psnr(a: JSquash.Pixels, b: JSquash.Pixels): number {
  let squares = 0
  a.data.forEach((value, at) => {
    squares += (value - (b.data[at] ?? 0)) ** 2
  })
  return 10 * Math.log10(255 ** 2 / (squares / a.data.length))
}

/** A gradient with sharp edges. */
const drawn = (width: number, height: number): JSquash.Pixels => ({
  width,
  height,
  data: Uint8ClampedArray.from({ length: width * height * 4 }, (_, at) => {
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)]
    return at % 4 === 3 ? 255 : (x * 2 + y + 60 * (at % 4) + 40 * ((x >> 4) & 1)) % 256
  }),
})
const encoded = async (pixels: JSquash.Pixels, encoding: Parameters<typeof encodeJpeg>[1] = {}) =>
  Buffer.from(await encodeJpeg(pixels, { progressive: false, ...encoding }))

const html = Buffer.from('<script>alert(1)</script>')
const jpeg = await encoded(drawn(320, 200))

/** A segment of a JPEG. */
const segment = (marker: number, bytes: readonly number[]) =>
  Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes])
const frameOf = (marker: number, [width, height]: [number, number], components: readonly number[][]) =>
  segment(marker, [
    8,
    height >> 8,
    height & 0xff,
    width >> 8,
    width & 0xff,
    components.length,
    ...components.flat(),
  ])
const [START, END] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])]
const quantizers = segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)])
/** Codes of one bit: `0` stands for the symbol. */
const code = (table: number, symbol: number) =>
  segment(0xc4, [table, 1, ...Array.from({ length: 15 }, () => 0), symbol])

/** Four inks, as a press has them. */
const cmyk = Buffer.concat([
  START,
  quantizers,
  frameOf(
    0xc0,
    [8, 8],
    [1, 2, 3, 4].map(ink => [ink, 0x11, 0]),
  ),
  code(0x00, 0),
  code(0x10, 0),
  segment(0xda, [4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0]),
  Buffer.from([0b0000_0000]),
  END,
])

/** Each scan of twelve bytes covers all blocks: the decoder has minutes of work with 600 kB. */
const manyScans = () => {
  const scan = Buffer.concat([segment(0xda, [1, 1, 0, 1, 63, 0]), Buffer.from([0x00, 0x01])])
  return Buffer.concat([
    START,
    quantizers,
    frameOf(0xc2, [1024, 1024], [[1, 0x11, 0]]),
    // 16,384 blocks and more are empty.
    code(0x10, 0xe0),
    ...Array.from({ length: 50_000 }, () => scan),
    END,
  ])
}

const chunk = (type: string, data: Buffer) => {
  const [named, length, sum] = [Buffer.concat([Buffer.from(type), data]), Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
interface Parts {
  rows?: Buffer
  more?: Buffer
}
/** A black PNG, or one with these rows. */
const png = (width: number, height: number, { rows, more }: Parts = {}) => {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    more ?? Buffer.alloc(0),
    chunk('IDAT', deflateSync(rows ?? Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const insert = (into: Buffer, at: number, ...parts: Buffer[]) =>
  Buffer.concat([into.subarray(0, at), ...parts, into.subarray(at)])
const overwrite = (into: Buffer, at: number, part: Buffer) =>
  Buffer.concat([into.subarray(0, at), part, into.subarray(at + part.length)])
const middle = Math.floor(jpeg.length / 2)

const shown: [what: string, contentType: PictureType, picture: Buffer][] = [
  ['of mpv', 'image/jpeg', await readFile(screenshotFixture)],
  ['as it is', 'image/jpeg', jpeg],
  ['progressive', 'image/jpeg', await encoded(drawn(320, 200), { progressive: true })],
  ['gray', 'image/jpeg', await encoded(drawn(320, 200), { color_space: 1 })],
  ['with text among the bits of a scan', 'image/jpeg', overwrite(jpeg, middle, html)],
  ['with text behind its end', 'image/jpeg', Buffer.concat([jpeg, html, END])],
  ['with a comment', 'image/jpeg', insert(jpeg, 2, segment(0xfe, [...html]))],
  ['as it is', 'image/png', png(300, 200)],
  ['with text behind its end', 'image/png', Buffer.concat([png(300, 200), html])],
  [
    'with text in a chunk',
    'image/png',
    png(300, 200, { more: chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), html])) }),
  ],
  ['of 4096 × 4096', 'image/png', png(4096, 4096)],
]
test.each(shown.map(([what, contentType, picture]) => ({ what, contentType, picture })))(
  'a screenshot $contentType $what is stored as a new picture that looks the same',
  async ({ contentType, picture }) => {
    const { statusCode, stored } = await deliver(contentType, picture)
    expect(statusCode).toBe(200)
    expect(stored.headers['content-type']).toBe('image/jpeg')
    expect(stored.rawPayload.includes('script')).toBe(false)
    const now = await decodeJpeg(stored.rawPayload)
    if (contentType === 'image/jpeg') {
      const before = await decodeJpeg(picture)
      expect([now.width, now.height]).toEqual([before.width, before.height])
      expect(psnr(before, now)).toBeGreaterThan(35)
    } else {
      expect([now.width, now.height]).toEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)])
      expect(Math.max(...now.data.subarray(0, 3))).toBeLessThan(3)
    }
  },
)

const refused: [what: string, contentType: PictureType, picture: Buffer][] = [
  ['with a scan that is cut off', 'image/jpeg', jpeg.subarray(0, middle)],
  ['with a scan that ends too early', 'image/jpeg', Buffer.concat([jpeg.subarray(0, middle), END])],
  ['of a head and text', 'image/jpeg', Buffer.concat([jpeg.subarray(0, 400), html, END])],
  [
    'of more rows than its scan has',
    'image/jpeg',
    overwrite(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5, Buffer.from([8])),
  ],
  ['of four inks', 'image/jpeg', cmyk],
  [
    'of 16,384 × 16,384',
    'image/jpeg',
    Buffer.concat([START, frameOf(0xc0, [16_384, 16_384], [[1, 0x11, 0]]), jpeg.subarray(2)]),
  ],
  [
    'of another size behind a marker without a length',
    'image/jpeg',
    Buffer.concat([START, Buffer.from([0xff, 0x01]), jpeg.subarray(2)]),
  ],
  ['that are a PNG', 'image/jpeg', png(300, 200)],
  ['of thousands of scans', 'image/jpeg', manyScans()],
  ['of 16,384 × 16,384', 'image/png', png(16_384, 16_384)],
  ['of fewer rows than its head says', 'image/png', png(300, 200, { rows: Buffer.alloc(5000) })],
  ['with text in the place of a chunk', 'image/png', insert(png(300, 200), 33, html)],
  ['cut off', 'image/png', png(300, 200).subarray(0, 60)],
  ['that are a JPEG', 'image/png', jpeg],
]
test.each(refused.map(([what, contentType, picture]) => ({ what, contentType, picture })))(
  'bytes sent as $contentType $what are refused',
  async ({ contentType, picture }) => {
    const { statusCode, stored } = await deliver(contentType, picture)
    expect([statusCode, stored.statusCode]).toEqual([422, 404])
  },
)

test('a picture that inflates to a hundred million pixels and says that it has one is stored as one', async () => {
  const { stored } = await deliver('image/png', png(1, 1, { rows: Buffer.alloc(100_000_000) }))
  expect(await decodeJpeg(stored.rawPayload)).toMatchObject({ width: 1, height: 1 })
})

test('a command takes three pictures, right or wrong', async () => {
  const { statusCode, send } = await deliver('image/jpeg', jpeg.subarray(0, middle))
  const more = [await send(), await send(), await send()]
  expect([statusCode, ...more.map(answer => answer.statusCode)]).toEqual([422, 422, 422, 404])
})
