import { existsSync } from 'node:fs'
import { type Browser, type Page, chromium } from 'playwright-core'
import { timed } from './test-times.ts'
import { noteRequest } from './test-uses.ts'

/** A whole Chromium draws a window, which takes half as much time again. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const PLACES = [HEADLESS_SHELL, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The Chromium to test in: `CHROMIUM_PATH`, one on the machine, else Playwright's own. Raises when there is none. */
export function findChromium(): string {
  const found = [process.env['CHROMIUM_PATH'], ...PLACES, chromium.executablePath()].find(
    path => path !== undefined && path !== '' && existsSync(path),
  )
  if (!found) throw new Error('No Chromium found: install the package chromium, or set CHROMIUM_PATH')
  return found
}

/** Whether the browser of the tests is the one that was asked for, or the fastest one. */
export const hasPreferredChromium = (): boolean =>
  Boolean(process.env['CHROMIUM_PATH']) || existsSync(HEADLESS_SHELL)

/** A browser that starts nothing beside the page, and plays sound without being asked. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

export const openBrowser = (args: readonly string[] = []): Promise<Browser> =>
  timed('browsers', () =>
    chromium.launch({ executablePath: findChromium(), args: [...BROWSER_FLAGS, ...args], headless: true }),
  )

let shared: Promise<Browser> | undefined

/** One Chromium for all test files of a worker. It ends with the worker. Each test opens a separate context. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await (shared ??= openWatchedBrowser())
  if (browser.isConnected()) return browser
  shared = openWatchedBrowser()
  return shared
}

/** Notes the requests of its pages. */
async function openWatchedBrowser(): Promise<Browser> {
  const browser = await openBrowser()
  return browser.on('context', context =>
    context.on('request', request => noteRequest(request.method(), request.url())),
  )
}

/** Errors and warnings on a page's console, and its exceptions; tests expect none. */
export function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', error => complaints.push(`thrown: ${error.message}`))
  return complaints
}
