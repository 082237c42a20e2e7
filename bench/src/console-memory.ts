import { clickLink } from './console-clicks.ts'
import { ROUTES } from './console-routes.ts'
import type { ConsoleVisitor } from './console-visits.ts'

const NAVIGATIONS = 200
const STEP = 50

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

/** Goes round the menu 200 times in one page, and takes the memory after each 50 with all garbage collected. */
export async function measureMemory(visitor: ConsoleVisitor): Promise<Record<string, number>> {
  const page = await visitor.newPage()
  const devtools = await page.context().newCDPSession(page)
  const menu = ROUTES.flatMap(({ link, content }) => (link === undefined ? [] : { link, content }))
  const samples: Sample[] = []
  await visitor.open(page, '/pages/profile', 'input')
  for (let navigations = 1; navigations <= NAVIGATIONS; navigations++) {
    const route = menu[navigations % menu.length]
    if (!route) break
    await clickLink(route.link)(page)
    await page.locator(`main ${route.content}`).first().waitFor()
    if (navigations % STEP > 0) continue
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
    heapAfter50: (first?.heapKilobytes ?? Number.NaN) / 1000,
    heapAfter200: (last?.heapKilobytes ?? Number.NaN) / 1000,
    heapSlope: slopeOf(samples.map(sample => ({ x: sample.navigations, y: sample.heapKilobytes }))),
    nodeSlope: slopeOf(samples.map(sample => ({ x: sample.navigations, y: sample.nodes }))),
  }
}
