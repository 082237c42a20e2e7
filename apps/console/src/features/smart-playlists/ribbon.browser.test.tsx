import type { SmartDay } from '@floorcast/planner/smart-day.ts'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { personalize } from '../../platform/personalization.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { calmDay, crowdedDay, dayOf, HOUR, inTurn, shopHours } from '../../testing/planned-days.ts'
import { Ribbon } from './ribbon.tsx'

let played: number[]
beforeEach(() => {
  played = []
})

function ChosenRibbon({ day }: { day: SmartDay }) {
  const [chosen, setChosen] = useState(0)
  return <Ribbon day={day} chosen={chosen} choose={setChosen} play={() => played.push(chosen)} />
}

const slider = page.getByRole('slider')
const canvas = () => slider.element().querySelector('canvas') ?? document.createElement('canvas')
const place = () => canvas().getBoundingClientRect()
const said = (text: string) => expect.element(page.getByText(text)).toBeVisible()
const isChosen = (block: number) => expect.element(slider).toHaveAttribute('aria-valuenow', String(block))

async function drawDay(day: SmartDay, options?: Parameters<typeof drawComponent>[1]) {
  await drawComponent(<ChosenRibbon day={day} />, options)
  await expect.element(slider).toBeVisible()
  await expect.poll(() => place().width).toBeGreaterThan(200)
  await document.fonts.ready
  // Its listeners are there after its first picture.
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
}

/** Pixel of a share of the width from the start of the day. */
const pixelAt = (share: number, isMirrored = false) => (isMirrored ? 1 - share : share) * place().width

function pointTo(pixel: number, type = 'pointermove', more: PointerEventInit = {}) {
  const { left, top } = place()
  const at = { clientX: left + pixel, clientY: top + 60, bubbles: true, ...more }
  canvas().dispatchEvent(type === 'click' ? new MouseEvent(type, at) : new PointerEvent(type, at))
}

/** The spans of one color in a row of pixels, each with its first pixel and the one after its last. */
function spansOf(color: string, y: number): [from: number, to: number][] {
  const { width } = canvas()
  const data = canvas().getContext('2d')?.getImageData(0, y, width, 1).data ?? new Uint8ClampedArray()
  const spans: [number, number][] = []
  for (let x = 0; x < width; x += 1) {
    if ([...data.subarray(x * 4, x * 4 + 3)].join() !== color || data[x * 4 + 3] !== 255) continue
    const last = spans.at(-1)
    if (last?.[1] === x) last[1] = x + 1
    else spans.push([x, x + 1])
  }
  return spans
}

/** A color of the ribbon's style sheet, as the canvas has it. */
function colorOf(name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  slider.element().append(probe)
  const color = getComputedStyle(probe).color
  probe.remove()
  return color.replaceAll(/[^\d,]/g, '')
}

/** Above all background, below the ruler and the line around the chosen block. */
const AD_ROW = 40

const expectSpans = (found: [number, number][], shares: [number, number][], isMirrored = false) => {
  const wanted = shares.map(([from, to]): [number, number] =>
    isMirrored ? [pixelAt(to, true), pixelAt(from, true)] : [pixelAt(from), pixelAt(to)],
  )
  expect(found).toHaveLength(wanted.length)
  wanted.forEach(([from, to], index) => {
    // A pixel at most, and one for the line between two blocks.
    expect(Math.abs((found[index]?.[0] ?? 0) - from)).toBeLessThanOrEqual(1)
    expect(Math.abs((found[index]?.[1] ?? 0) - to)).toBeLessThanOrEqual(2)
  })
}
const adsOfCalmDay: [number, number][] = [
  [4 / 12, 5 / 12],
  [11.5 / 12, 1],
]

it.each([1280, 701, 400])('the ribbon of a day draws each minute at its pixel: %i px wide', async width => {
  await drawDay(calmDay, { width })
  await expect.poll(() => spansOf(colorOf('--ribbon-ad'), AD_ROW).length).toBe(2)
  expectSpans(spansOf(colorOf('--ribbon-ad'), AD_ROW), adsOfCalmDay)
})

it('the ribbon of a day follows the width of its window', async () => {
  await drawDay(calmDay)
  const before = place().width
  await page.viewport(900, 800)
  await expect.poll(() => place().width).toBeLessThan(before)
  await expect.poll(() => canvas().width).toBe(Math.round(place().width))
  expectSpans(spansOf(colorOf('--ribbon-ad'), AD_ROW), adsOfCalmDay)
})

it('the ribbon of a day says what is under the pointer to the second, and chooses and plays it', async () => {
  await drawDay(calmDay)
  pointTo(pixelAt(4 / 12) + 1)
  await said('Ads, 12:00:00 to 13:00:00, 1 play, block 2 of 6')
  pointTo(pixelAt(5 / 12) - 1)
  await said('Ads, 12:00:00 to 13:00:00, 1 play, block 2 of 6')
  pointTo(pixelAt(5 / 12) + 1)
  await said('Background, 13:00:00 to 15:00:00, 1 play, block 3 of 6')
  pointTo(place().width - 1)
  await said('Ads, 19:30:00 to 20:00:00, 1 play, block 6 of 6')
  await isChosen(1)
  pointTo(pixelAt(0), 'pointerout', { relatedTarget: document.body })
  await said('Background, 08:00:00 to 12:00:00, 1 play, block 1 of 6')
  const { width, height } = place()
  const middle = { x: (width * 4.5) / 12, y: height / 2 }
  await userEvent.click(canvas(), { position: middle })
  await isChosen(2)
  await userEvent.dblClick(canvas(), { position: middle })
  expect(played).toEqual([1])
})

it('the ribbon of a day is walked by keys, block by block, also to one that is too narrow for a pointer', async () => {
  await drawDay(calmDay)
  await userEvent.tab()
  await userEvent.tab()
  while (document.activeElement !== slider.element()) await userEvent.tab()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowUp}')
  await isChosen(4)
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', 'Ads, 15:00:00 to 15:00:05, 1 play, block 4 of 6')
  await userEvent.keyboard('{ArrowLeft}{ArrowDown}')
  await isChosen(2)
  await userEvent.keyboard('{End}{ArrowRight}')
  await isChosen(6)
  await userEvent.keyboard('{PageDown}')
  await isChosen(1)
  await userEvent.keyboard('{PageUp}{Home}')
  await isChosen(1)
  await userEvent.keyboard('{Shift>}{End}{/Shift}')
  await isChosen(6)
  await userEvent.keyboard('{Shift>}{Home}{/Shift}')
  await isChosen(1)
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}')
  await isChosen(2)
  await userEvent.keyboard('{Home}')
  await userEvent.keyboard('{ArrowRight}{Enter} ')
  expect(played).toEqual([1, 1])
})

it('the ribbon of a day zooms by keys around the chosen block, and keeps it in view', async () => {
  await drawDay(calmDay)
  const zoomIn = page.getByRole('button', { name: 'Zoom in' })
  const zoomOut = page.getByRole('button', { name: 'Zoom out' })
  await expect.element(zoomOut).toBeDisabled()
  slider.element().focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}+++')
  const box = slider.element()
  await expect.poll(() => Math.round(box.scrollWidth / box.clientWidth)).toBe(8)
  // The block at 15:00 is in the middle of an eighth of the day.
  pointTo(place().width / 2 + 1)
  await said('Ads, 15:00:00 to 15:00:05, 1 play, block 4 of 6')
  await userEvent.keyboard('{Home}')
  await expect.poll(() => box.scrollLeft).toBeLessThan(box.scrollWidth * 0.2)
  await userEvent.keyboard('{End}')
  await expect.poll(() => box.scrollLeft + box.clientWidth).toBe(box.scrollWidth)
  await userEvent.keyboard('++++++++')
  await expect.element(zoomIn).toBeDisabled()
  await userEvent.keyboard('0')
  await expect.poll(() => box.scrollWidth).toBe(box.clientWidth)
  await expect.element(zoomOut).toBeDisabled()
})

it('the ribbon of a day zooms by the wheel with Ctrl around what is under the pointer; the wheel alone scrolls the page', async () => {
  await drawDay(calmDay)
  const pixel = pixelAt(4 / 12) + 20
  const turn = (ctrlKey: boolean) =>
    canvas().dispatchEvent(
      new WheelEvent('wheel', {
        deltaY: -120,
        ctrlKey,
        clientX: place().left + pixel,
        bubbles: true,
        cancelable: true,
      }),
    )
  const box = slider.element()
  expect(turn(false)).toBe(true)
  expect(box.scrollWidth).toBe(box.clientWidth)
  for (const factor of [2, 4, 8]) {
    expect(turn(true)).toBe(false)
    await expect.poll(() => Math.round(box.scrollWidth / box.clientWidth)).toBe(factor)
  }
  // 20 px after noon are 20 px after noon still, for that was under the pointer.
  pointTo(pixel)
  await said('Ads, 12:00:00 to 13:00:00, 1 play, block 2 of 6')
  pointTo(pixel - 20 * 8 - 2)
  await said('Background, 08:00:00 to 12:00:00, 1 play, block 1 of 6')
})

it('the ribbon of a day over midnight goes on with the hours of the next day', async () => {
  const blocks = inTurn(8 * HOUR, { melody: 4.5 * HOUR, ad: 3.5 * HOUR })
  const labels = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText')
  await drawDay(dayOf(blocks, { startDay: '20:00', endDay: '04:00' }))
  pointTo(place().width - 2)
  await said('Ads, 00:30:00 to 04:00:00, 1 play, block 2 of 2')
  const hours = labels.mock.calls.map(([text]) => text).filter(text => /^\d\d:\d\d$/.test(text))
  expect(hours).toContain('23:00')
  expect(hours).toContain('00:00')
  expect(hours).not.toContain('24:00')
})

it('the ribbon of a crowded day draws bars with the shares of ads, says so, and single blocks once they are zoomed in', async () => {
  await drawDay(crowdedDay)
  await said('Each bar is 30 min: ads above background, with the share of ads. Zoom in for single blocks.')
  pointTo(pixelAt(0.5 / 12) + 2)
  await said('08:30 to 09:00, ads 25%, 60 blocks')
  // A quarter of the 96 pixels below the ruler, in the next bar beside its percentage.
  const context = canvas().getContext('2d')
  const column = context?.getImageData(Math.round(pixelAt(1 / 12)) + 3, 24, 1, 96).data ?? []
  const adPixels = Array.from({ length: 96 }, (_, y) => column.slice(y * 4, y * 4 + 3).join())
  expect(adPixels.filter(color => color === colorOf('--ribbon-ad')).length).toBe(24)
  expect(await findBarriers()).toEqual([])
  for (let times = 0; times < 4; times += 1) await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect.element(page.getByText(/^Each bar is/)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Whole day' }).click()
  await said('Each bar is 30 min: ads above background, with the share of ads. Zoom in for single blocks.')
})

it('the ribbon of a crowded day leads to its last block, however many there are', async () => {
  await drawDay(dayOf(inTurn(12 * HOUR, { melody: 2, ad: 1 }), shopHours))
  slider.element().focus()
  await userEvent.keyboard('{End}')
  await isChosen(28_800)
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', 'Ads, 19:59:59 to 20:00:00, 1 play, block 28,800 of 28,800')
})

it('the ribbon from right to left is mirrored to the pixel, and so are pointer, keys and zoom', async () => {
  await drawDay(calmDay, { language: 'ar' })
  await expect.poll(() => spansOf(colorOf('--ribbon-ad'), AD_ROW).length).toBe(2)
  expectSpans(spansOf(colorOf('--ribbon-ad'), AD_ROW), adsOfCalmDay.toReversed(), true)
  pointTo(pixelAt(4.5 / 12, true))
  await expect.element(page.getByText(/12:00:00.*13:00:00/)).toBeVisible()
  slider.element().focus()
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  await isChosen(3)
  await userEvent.keyboard('{ArrowRight}')
  await isChosen(2)
  await userEvent.keyboard('+++')
  const box = slider.element()
  await expect.poll(() => Math.round(box.scrollWidth / box.clientWidth)).toBe(8)
  pointTo(place().width / 2)
  await expect.element(page.getByText(/12:00:00.*13:00:00/)).toBeVisible()
  await userEvent.keyboard('{End}')
  await expect.poll(() => -box.scrollLeft + box.clientWidth).toBe(box.scrollWidth)
  expect(await findBarriers()).toEqual([])
})

it.each(['light', 'dark'] as const)('the ribbon takes its colors from the mode: %s', async mode => {
  personalize({ mode })
  await drawDay(calmDay)
  await expect.poll(() => spansOf(colorOf('--ribbon-ad'), AD_ROW).length).toBe(2)
  await expect.poll(() => spansOf(colorOf('--ribbon-melody'), 110).length).toBeGreaterThan(1)
  expect(await findBarriers()).toEqual([])
})
