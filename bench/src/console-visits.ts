import type { openBrowser } from '@floorcast/testing/browser.ts'
import { CONSOLE_PROBE, type Probed } from './console-probe.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>
type BrowserContext = Awaited<ReturnType<Browser['newContext']>>
export type Page = Awaited<ReturnType<BrowserContext['newPage']>>

const QUIET_MS = 700
const VIEWPORT = { width: 1440, height: 900 }

/** What one visit of a page in a browser with an empty cache has fetched and shown. */
export interface Visit {
  /** The bytes of each script by its path, as sent. */
  scripts: ReadonlyMap<string, number>
  paintMs: number
  shift: number
}

/** Opens pages of a server in a browser that knows a session. */
export class ConsoleVisitor {
  readonly #browser: Browser
  readonly #origin: string
  readonly #stored: string

  /** @param stored what the browser has stored, by key */
  constructor(browser: Browser, origin: string, stored: Record<string, string>) {
    this.#browser = browser
    this.#origin = origin
    this.#stored = Object.entries(stored)
      .map(([key, value]) => `localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)})`)
      .join(';')
  }

  /** A page in a browser with an empty cache. */
  async newPage({ isSignedIn = true } = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: VIEWPORT, locale: 'en-GB' })
    await context.addInitScript({ content: isSignedIn ? `${this.#stored};${CONSOLE_PROBE}` : CONSOLE_PROBE })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    return page
  }

  /** Opens a path, and waits until its content is there. */
  async open(page: Page, path: string, content: string): Promise<void> {
    await page.goto(this.#origin + path)
    await page.locator(`main ${content}`).first().waitFor()
  }

  /**
   * Visits a path in a browser with an empty cache.
   * @param touch what the user does on the page before its scripts are counted
   */
  async visit(path: string, content: string, touch?: (page: Page) => Promise<void>): Promise<Visit> {
    const page = await this.newPage({ isSignedIn: path !== '/login' })
    const scripts = new Map<string, number>()
    let fetchedAt = performance.now()
    page.on('response', answer => {
      if (answer.request().resourceType() !== 'script') return
      fetchedAt = performance.now()
      scripts.set(new URL(answer.url()).pathname, Number(answer.headers()['content-length'] ?? Number.NaN))
    })
    const waitForQuiet = async () => {
      while (performance.now() - fetchedAt < QUIET_MS) await page.waitForTimeout(100)
    }
    await this.open(page, path, content)
    await waitForQuiet()
    if (touch) {
      await touch(page)
      fetchedAt = performance.now()
      await waitForQuiet()
    }
    const { paintMs, shift } = await readPainted(page)
    await page.context().close()
    return { scripts, paintMs, shift }
  }
}

/** What the probe has measured, once Chromium has told of a paint: that may be late on a busy machine. */
async function readPainted(page: Page): Promise<Probed> {
  for (let times = 0; times < 100; times++) {
    const probed = await readProbe(page)
    if (probed.paintMs > 0) return probed
    await page.waitForTimeout(100)
  }
  throw new Error(`Chromium tells of no paint of ${page.url()}`)
}

export const readProbe = (page: Page): Promise<Probed> =>
  page.evaluate<Probed>('({ ...floorcastProbe, watch: null })')
