import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '../testing/src/browser.ts'

/*
 * Draws the icons of the installed console from its mark, `favicon.svg`. Run it after the mark has changed:
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

mkdirSync(`${folder}icons`, { recursive: true })
const browser = await openBrowser()
const page = await browser.newPage()
for (const { name, size, picture, background } of icons) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<style>body { margin: 0; background: ${background} } svg { display: block; inline-size: 100vw }</style>${picture}`,
  )
  writeFileSync(`${folder}icons/${name}.png`, await page.screenshot({ omitBackground: true }))
}
await browser.close()
