import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '../testing/src/browser.ts'

/*
 * Draws the icons of the console from its mark, `favicon.svg`. Run it after the mark has changed:
 * `node tools/draw-icons.ts`.
 */

const folder = fileURLToPath(new URL('../apps/console/public/', import.meta.url))
const mark = readFileSync(`${folder}favicon.svg`, 'utf8')
const ground = /<rect [^>]*fill="(#\w+)"/.exec(mark)?.[1] ?? '#007692'
/** iOS and Android cut a shape out of a square; the mark stays inside the middle circle of four fifths. */
const square = mark.replace('viewBox="0 0 32 32"', 'viewBox="-5 -5 42 42"').replace(' rx="8"', '')

const icons = [
  { name: '192', size: 192, picture: mark, background: 'transparent' },
  { name: '512', size: 512, picture: mark, background: 'transparent' },
  { name: 'maskable-512', size: 512, picture: square, background: ground },
  { name: 'apple-touch-180', size: 180, picture: square, background: ground },
]

/** An ICO file of PNG pictures: its head, sixteen bytes for each picture, and the pictures. */
function packIco(pictures: { size: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let start = head.length
  for (const [index, { size, png }] of pictures.entries()) {
    const entry = 6 + 16 * index
    head.writeUInt8(size, entry)
    head.writeUInt8(size, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(png.length, entry + 8)
    head.writeUInt32LE(start, entry + 12)
    start += png.length
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)])
}

mkdirSync(`${folder}icons`, { recursive: true })
const browser = await openBrowser()
const page = await browser.newPage()
async function draw(size: number, picture: string, background: string): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<style>body { margin: 0; background: ${background} } svg { display: block; inline-size: 100vw }</style>${picture}`,
  )
  return page.screenshot({ omitBackground: true })
}

for (const { name, size, picture, background } of icons)
  writeFileSync(`${folder}icons/${name}.png`, await draw(size, picture, background))
// Browsers ask for it by this name where a page names no icon: a file, a download, an answer of the API.
const pictures = []
for (const size of [16, 32, 48]) pictures.push({ size, png: await draw(size, mark, 'transparent') })
writeFileSync(`${folder}favicon.ico`, packIco(pictures))
await browser.close()
