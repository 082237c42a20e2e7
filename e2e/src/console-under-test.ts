import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDevice } from '@floorcast/contract/devices.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { readSession } from '@floorcast/contract/auth.ts'
import type { LocaleCode } from '@floorcast/locales/locales.ts'
import { sharedBrowser } from '@floorcast/testing/browser.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { cloneDatabase, type DatabaseUrls } from '@floorcast/testing/test-database.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { owner, registerOwner, type SignedInClient } from './client-fixture.ts'
import { startServer, type RunningServer } from './processes.ts'

type Settings = (port: number) => Record<string, string>
const unchanged: Settings = () => ({})

interface Browsing {
  /** What a service worker fetches, Playwright's routes do not see. Without one, the console works as it does on plain HTTP. */
  hasServiceWorker: boolean
}
const viewport = { width: 1440, height: 900 }

/** A console on a real server with two devices and a group. Each test gets a browser that has stored nothing. */
export class ConsoleUnderTest {
  readonly #settings: Settings
  readonly #browsing: Browsing
  folder = ''
  deviceUid = ''
  #port = 0
  #server: RunningServer | undefined
  #browser: Browser | undefined
  #database: DatabaseUrls | undefined
  #client: SignedInClient | undefined
  #context: BrowserContext | undefined
  #page: Page | undefined
  #isSignedIn = false

  constructor(settings: Settings, browsing: Browsing) {
    this.#settings = settings
    this.#browsing = browsing
  }

  get url(): string {
    return need(this.#server).url
  }
  get databaseUrl(): string {
    return need(this.#database).url
  }
  get superuserUrl(): string {
    return need(this.#database).superuserUrl
  }
  get client(): SignedInClient {
    return need(this.#client)
  }
  get context(): BrowserContext {
    return need(this.#context)
  }
  get page(): Page {
    return need(this.#page)
  }

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'floorcast-console-'))
    this.#port = await freePort()
    this.#database = await cloneDatabase()
    await this.startServer()
    this.#browser = await sharedBrowser()
    this.#client = await registerOwner(this.url)
    const { call } = this.client
    const made = await call(addDevice, { params: { contentType: 'audio' }, body: { name: 'Bakery Lane 4' } })
    this.deviceUid = made.uid ?? ''
    await call(addDevice, { params: { contentType: 'video' }, body: { name: 'Central Station' } })
    await call(addGroup, { params: { contentType: 'audio' }, body: { name: 'Food shops' } })
  }

  async stop(): Promise<void> {
    await this.#context?.close()
    await this.#server?.stop()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Kills the server with SIGKILL, in the middle of its answers. */
  async killServer(): Promise<void> {
    await need(this.#server).kill()
  }

  /** Starts the server, with its own settings by default; after a kill, on the same folder and database. */
  async startServer(settings = this.#settings(this.#port)): Promise<void> {
    const { url } = need(this.#database)
    this.#server = await startServer(this.#port, join(this.folder, 'data'), {
      ...settings,
      DATABASE_URL: url,
    })
  }

  /** Gives a test a page in a browser that has stored nothing. The first one waits here, on a page that runs no script. */
  async openPage(): Promise<void> {
    this.#isSignedIn = false
    if (this.#context) await this.#clearPage().catch(() => this.#newPage())
    else await this.#newPage()
  }

  async #newPage(): Promise<void> {
    await this.#context?.close()
    this.#context = await need(this.#browser).newContext({
      viewport,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    if (!this.#browsing.hasServiceWorker)
      await this.context.addInitScript('delete Navigator.prototype.serviceWorker')
    this.#page = await this.context.newPage()
    this.page.setDefaultTimeout(40_000)
    await this.#leaveConsole()
  }

  /**
   * Clears what a test has left in the browser. A new context would start a new process, which compiles the console
   * again: a second of CPU time for each test.
   */
  async #clearPage(): Promise<void> {
    const { context, page } = this
    for (const other of context.pages()) if (other !== page) await other.close()
    await context.setOffline(false)
    // First: with its routes gone, the console would repeat the requests that a test has blocked.
    await this.#leaveConsole()
    page.removeAllListeners()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const devtools = await context.newCDPSession(page)
    await devtools.send('Storage.clearDataForOrigin', { origin: this.url, storageTypes: 'all' })
    await devtools.detach()
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await page.setViewportSize(viewport)
    await page.mouse.move(0, 0)
  }

  async #leaveConsole(): Promise<void> {
    await this.page.goto(`${this.url}/config.json`)
  }

  /** Waits for the page's title. */
  heading(name: string): Promise<void> {
    return this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }

  /** Waits until the page can show toasts without the server. */
  async toasterHasCome(): Promise<void> {
    await this.page.waitForFunction(() =>
      performance
        .getEntriesByType('resource')
        .some(
          part =>
            part instanceof PerformanceResourceTiming &&
            /\/toaster-.*\.js/.test(part.name) &&
            part.responseEnd > 0,
        ),
    )
  }

  /** Signs in by the form, which then opens `to`. */
  async signIn(to: string): Promise<void> {
    await this.page.goto(this.url + to)
    await this.page.getByLabel('Email').fill(owner.email)
    await this.page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
    await this.page.getByRole('navigation', { name: 'Menu' }).waitFor()
  }

  /** Opens a page as a user who has signed in before: the form limits how often one signs in. */
  async visit(to: string, as = this.client): Promise<void> {
    await this.#signInOnce(as)
    await this.page.goto(this.url + to)
    await this.page.getByRole('navigation', { name: 'Menu' }).waitFor()
  }

  /** Opens a page at another origin of the same server, such as a proxy's. */
  async visitAt(origin: string, to: string): Promise<void> {
    await this.page.goto(`${origin}/config.json`)
    this.#isSignedIn = false
    await this.#signInOnce(this.client)
    await this.page.goto(origin + to)
    await this.page.getByRole('navigation', { name: 'Menu' }).waitFor()
  }

  /** Opens a page in a language, as a user who has chosen it before. */
  async visitIn(code: LocaleCode, to: string): Promise<void> {
    await this.#signInOnce(this.client)
    await this.page.evaluate(chosen => localStorage.setItem('floorcast.language', chosen), code)
    await this.page.goto(this.url + to)
    await this.page.getByRole('main').waitFor()
  }

  async #signInOnce({ call, token }: SignedInClient): Promise<void> {
    if (this.#isSignedIn) return
    this.#isSignedIn = true
    const user = JSON.stringify(await call(readSession, {}))
    await this.page.evaluate(
      ([userJson, secret]) => {
        localStorage.setItem('floorcast.user', userJson)
        localStorage.setItem('floorcast.token', secret)
      },
      [user, token] as const,
    )
  }
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The console under test was not started')
  return value
}

/**
 * Starts a console for the tests of a file, and stops it after them.
 * @param settings the settings of its server, which listens at `port`
 */
export function testConsole(
  settings = unchanged,
  browsing: Browsing = { hasServiceWorker: false },
): ConsoleUnderTest {
  const console = new ConsoleUnderTest(settings, browsing)
  beforeAll(() => console.start())
  afterAll(() => console.stop())
  beforeEach(() => console.openPage())
  return console
}
