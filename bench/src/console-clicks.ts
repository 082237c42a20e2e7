import { percentile } from './percentile.ts'
import { CLICKED_ROUTES, type Route, ROUTES } from './console-routes.ts'
import { type ConsoleVisitor, type Page, readProbe } from './console-visits.ts'

const ROUNDS = 3
/** Event timing reports no duration below this one. */
const SHORTEST_MS = 16
const ANSWER_WAIT_MS = 350

type Act = (page: Page) => Promise<void>

const clickButton = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name }).first().click()

/** What people click on every list. */
const LIST_ACTS: Record<string, Act> = {
  nextPage: page => clickButton(page, 'Next page'),
  sort: page => page.locator('main thead button').first().click(),
  columns: page => clickButton(page, 'Columns'),
  closeColumns: page => page.keyboard.press('Escape'),
  rowMenu: page => clickButton(page, /^Actions for /),
  closeRowMenu: page => page.keyboard.press('Escape'),
  choosePage: page => page.getByRole('checkbox', { name: 'Select every row of this page' }).check(),
  chooseNone: page => clickButton(page, 'Clear the selection'),
}

const middleOf = (times: readonly number[]) =>
  percentile(
    times.toSorted((a, b) => a - b),
    0.5,
  )

/** Does something, and measures the time to the next paint. */
async function measureAnswer(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate('floorcastProbe.answersMs.length = 0')
  await act()
  await page.waitForTimeout(ANSWER_WAIT_MS)
  return Math.max(SHORTEST_MS, ...(await readProbe(page)).answersMs)
}

/** Times in ms by what was done, of all rounds. */
class Times {
  readonly #times = new Map<string, number[]>()

  add(name: string, ms: number): void {
    this.#times.set(name, [...(this.#times.get(name) ?? []), ms])
  }

  /** The middle of the rounds of the slowest act, of those whose names begin so. */
  worst(prefix: string): number {
    const middles = [...this.#times].filter(([name]) => name.startsWith(prefix)).map(([, ms]) => middleOf(ms))
    return Math.max(...middles)
  }

  toString(): string {
    return [...this.#times].map(([name, ms]) => `${name} ${ms.map(Math.round).join('/')}`).join('  ')
  }
}

/** Waits for the content that the probe watches for. Playwright's own wait needs `eval`, which the console forbids. */
async function readContentMs(page: Page): Promise<number> {
  for (let times = 0; times < 600; times++) {
    const { contentMs } = await readProbe(page)
    if (contentMs !== null) return contentMs
    await page.waitForTimeout(100)
  }
  throw new Error(`The content of ${page.url()} does not come`)
}

/** Clicks on what leads to a route, and waits for its content. */
async function follow(
  page: Page,
  { name, content }: Route,
  { times, click }: { times: Record<'answer' | 'content', Times>; click: Act },
): Promise<void> {
  await page.evaluate(`floorcastProbe.watch(${JSON.stringify(content)})`)
  times.answer.add(`${name} open`, await measureAnswer(page, () => click(page)))
  times.content.add(`${name} content`, await readContentMs(page))
}

/** A click on a link of the menu. */
export const clickLink = (link: string) => (page: Page) =>
  page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: link, exact: true }).click()

/** Walks through the menu, acts on each list, and opens its first item. */
export async function measureClicks(visitor: ConsoleVisitor): Promise<Record<string, number>> {
  const times = { answer: new Times(), content: new Times() }
  for (let round = 0; round < ROUNDS; round++) {
    const page = await visitor.newPage()
    await visitor.open(page, '/pages/profile', 'input')
    for (const route of ROUTES) {
      const { link, name } = route
      if (link === undefined) continue
      await follow(page, route, { times, click: clickLink(link) })
      const detail = ROUTES.find(other => other.list === name)
      if (!detail) continue
      for (const [act, run] of Object.entries(LIST_ACTS)) {
        times.answer.add(`${name} ${act}`, await measureAnswer(page, () => run(page)))
        await page.locator('main section[aria-busy="false"]').first().waitFor()
      }
      const row = page.locator(`main ${route.content}`).first()
      await follow(page, detail, { times, click: () => row.click() })
    }
    await page.context().close()
  }
  console.error(`Clicks to the next paint: ${String(times.answer)}`)
  console.error(`Clicks to content: ${String(times.content)}`)
  return Object.fromEntries(
    CLICKED_ROUTES.flatMap(({ name }) => [
      [`${name}Answer`, times.answer.worst(`${name} `)],
      [`${name}Content`, times.content.worst(`${name} `)],
    ]),
  )
}
