import { clickLink } from './console-clicks.ts'
import { ROUTES } from './console-routes.ts'
import type { ConsoleVisitor, Page } from './console-visits.ts'

/**
 * Without V8's compilers: they compile what runs often and keep the code, so that the heap grows for hundreds of navigations
 * although the console keeps nothing. From the 66th navigation to the 194th, 83 % of the growth was compiled code, 15 % entries of
 * the browser's performance timeline, and less than 1 % objects and texts of the console.
 */
export const INTERPRETER_ONLY = ['--js-flags=--no-opt --no-maglev --no-sparkplug']

const ROUNDS = 25
/** Every sample is taken on the same page: the heaps of two pages differ by a megabyte. */
const SAMPLED_ROUNDS: readonly number[] = [7, 13, 19, ROUNDS]

interface Sample {
  navigations: number
  heapKilobytes: number
  nodes: number
  listeners: number
}

/** The slope of a straight line through points, by least squares. */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(point => point.x)), mean(points.map(point => point.y))]
  const over = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0)
  return over / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
}

/** @throws Error with what the page shows in its place */
async function waitForContent(page: Page, content: string): Promise<void> {
  const main = page.locator('main')
  try {
    await main.locator(content).first().waitFor()
  } catch (cause) {
    throw new Error(`No ${content} at ${page.url()}, but: ${await main.innerText()}`, { cause })
  }
}

/** Goes round the menu in one page, and takes the memory after some rounds with all garbage collected. */
export async function measureMemory(visitor: ConsoleVisitor): Promise<Record<string, number>> {
  const page = await visitor.newPage()
  const devtools = await page.context().newCDPSession(page)
  const menu = ROUTES.flatMap(({ link, content }) => (link === undefined ? [] : { link, content }))
  const samples: Sample[] = []
  await visitor.open(page, '/pages/profile', 'input')
  for (let round = 1; round <= ROUNDS; round++) {
    for (const { link, content } of menu) {
      await clickLink(link)(page)
      await waitForContent(page, content)
    }
    if (!SAMPLED_ROUNDS.includes(round)) continue
    const navigations = round * menu.length
    await page.waitForTimeout(1000)
    for (let times = 0; times < 3; times++) await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
    samples.push({ navigations, heapKilobytes: usedSize / 1000, nodes, listeners: jsEventListeners })
    console.error(`After ${navigations} navigations: ${JSON.stringify(samples.at(-1))}`)
  }
  await page.context().close()
  const [first, last] = [samples[0], samples.at(-1)]
  return {
    heapAfter7Rounds: (first?.heapKilobytes ?? Number.NaN) / 1000,
    heapAfter25Rounds: (last?.heapKilobytes ?? Number.NaN) / 1000,
    heapSlope: slopeOf(samples.map(sample => ({ x: sample.navigations, y: sample.heapKilobytes }))),
    nodeSlope: slopeOf(samples.map(sample => ({ x: sample.navigations, y: sample.nodes }))),
  }
}
