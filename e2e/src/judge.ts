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

/** What axe finds wrong on the page as it is now: rule, place and reason, one line each. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated, not added as a script: the page's Content-Security-Policy stays in force.
  await page.evaluate(axe)
  const found = await page.evaluate('axe.run(document).then(result => result.violations)')
  return Violations.parse(found).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}

/** How many CSS pixels the page is wider than the window; 0 when it fits. */
export const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
