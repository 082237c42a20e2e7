import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDevice } from '@floorcast/contract/devices.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { readSession } from '@floorcast/contract/auth.ts'
import type { LocaleCode } from '@floorcast/contract/locales.ts'
import { sharedBrowser } from '@floorcast/testing/browser.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import {
  asSuperuser,
  cloneDatabase,
  createDatabase,
  type DatabaseUrls,
} from '@floorcast/testing/test-database.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { newEmail, type Owner, owner, registerOwner, type SignedInClient } from './client-fixture.ts'
import { noteServer, startLastingServer, startServer, type RunningServer } from './processes.ts'

interface Options {
  /** Playwright's routes do not see the fetches of a service worker. Without one, the console works as it does on plain HTTP. */
  hasServiceWorker?: boolean
  /** For tests that kill the server or change what belongs to no client. The test files of a worker share another one. */
  hasOwnServer?: boolean
  /** The settings of an own server, which listens at `port`. */
  settings?: (port: number) => Record<string, string>
}

/** A server with its database and its data folder. */
interface Site {
  port: number
  folder: string
  database: DatabaseUrls
  server: RunningServer
}

const makeFolder = () => mkdtemp(join(tmpdir(), 'floorcast-site-'))

async function openSite(settings: Options['settings']): Promise<Site> {
  const [port, folder, database] = [await freePort(), await makeFolder(), await cloneDatabase()]
  const server = await startServer(port, folder, { ...settings?.(port), DATABASE_URL: database.url })
  return { port, folder, database, server }
}

async function openLastingSite(): Promise<Site> {
  const [port, folder, database] = [await freePort(), await makeFolder(), await createDatabase()]
  const server = await startLastingServer(port, folder, { DATABASE_URL: database.url })
  return { port, folder, database, server }
}

let shared: Promise<Site> | undefined
const openSharedSite = () => (shared ??= openLastingSite())

const viewport = { width: 1440, height: 900 }

/** A console on a real server: a client with two devices and a group. Each test gets a browser that has stored nothing. */
export class ConsoleUnderTest {
  readonly #options: Options
  readonly #hasOwnServer: boolean
  /** For files of the tests. */
  folder = ''
  deviceUid = ''
  /** For what only the database can do. */
  clientId = ''
  owner: Owner = owner
  #site: Site | undefined
  #browser: Browser | undefined
  #client: SignedInClient | undefined
  #context: BrowserContext | undefined
  #page: Page | undefined
  #isSignedIn = false

  constructor(options: Options) {
    this.#options = options
    this.#hasOwnServer = options.hasOwnServer ?? options.settings !== undefined
  }

  get url(): string {
    return need(this.#site).server.url
  }
  /** The server's data folder. */
  get dataFolder(): string {
    return need(this.#site).folder
  }
  get databaseUrl(): string {
    return need(this.#site).database.url
  }
  get superuserUrl(): string {
    return need(this.#site).database.superuserUrl
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
    this.#site = this.#hasOwnServer ? await openSite(this.#options.settings) : await openSharedSite()
    noteServer()
    this.#browser = await sharedBrowser()
    this.owner = { ...owner, email: newEmail('olga') }
    this.#client = await registerOwner(this.url, this.owner)
    const { call } = this.client
    const made = await call(addDevice, { params: { contentType: 'audio' }, body: { name: 'Bakery Lane 4' } })
    this.deviceUid = made.uid ?? ''
    this.clientId = await this.#readClientId()
    await call(addDevice, { params: { contentType: 'video' }, body: { name: 'Central Station' } })
    await call(addGroup, { params: { contentType: 'audio' }, body: { name: 'Food shops' } })
  }

  async stop(): Promise<void> {
    await this.#context?.close()
    if (this.#hasOwnServer) {
      await this.#site?.server.stop()
      await rm(this.#site?.folder ?? this.folder, { recursive: true, force: true })
    }
    await rm(this.folder, { recursive: true, force: true })
  }

  #readClientId(): Promise<string> {
    return asSuperuser(this.superuserUrl, async superuser => {
      const { rows } = await superuser.query<{ id: string }>(
        'select client_id as id from devices where uid = $1',
        [this.deviceUid],
      )
      return need(rows[0]).id
    })
  }

  /** Kills the server with SIGKILL, in the middle of its answers. */
  async killServer(): Promise<void> {
    if (!this.#hasOwnServer) throw new Error('Other test files use this server: set hasOwnServer')
    await need(this.#site).server.kill()
  }

  /** Starts the server after a kill, on the same folder and database, with its own settings by default. */
  async startServer(settings?: Record<string, string>): Promise<void> {
    const site = need(this.#site)
    site.server = await startServer(site.port, site.folder, {
      ...(settings ?? this.#options.settings?.(site.port)),
      DATABASE_URL: site.database.url,
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
    if (!this.#options.hasServiceWorker)
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
    await this.page.getByLabel('Email').fill(this.owner.email)
    await this.page.getByRole('textbox', { name: 'Password' }).fill(this.owner.password)
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
  async visitAt(origin: string, to: string, as = this.client): Promise<void> {
    await this.page.goto(`${origin}/config.json`)
    this.#isSignedIn = false
    await this.#signInOnce(as)
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

/** Opens a console for the tests of a file, and closes it after them. */
export function testConsole(options: Options = {}): ConsoleUnderTest {
  const console = new ConsoleUnderTest(options)
  beforeAll(() => console.start())
  afterAll(() => console.stop())
  beforeEach(() => console.openPage())
  return console
}
