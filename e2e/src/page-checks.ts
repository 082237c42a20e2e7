import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { z } from 'zod'

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const Violations = z.array(
  z.object({
    id: z.string(),
    nodes: z.array(z.object({ target: z.array(z.unknown()), failureSummary: z.string() })),
  }),
)

/** Runs axe on the page in its present state. @returns a line of rule, place and reason for each violation */
export async function findAxeViolations(page: Page): Promise<string[]> {
  // Evaluated, not added as a script, to keep the page's Content-Security-Policy in force.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const options = '{ resultTypes: ["violations"] }'
  const found = await page.evaluate(`axe.run(document, ${options}).then(result => result.violations)`)
  return Violations.parse(found).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}

/** The CSS pixels by which the page is wider than the window; 0 when it fits. */
export const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Waits until the page loads nothing, and half a second more for charts and maps. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.locator('main').waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' })
  await page.waitForLoadState('load')
  await page.evaluate(async () => void (await document.fonts.ready))
  await page.waitForTimeout(500)
}
