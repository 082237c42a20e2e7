import type { ConsoleUnderTest } from './console-under-test.ts'
import { waitUntil } from './processes.ts'

/** Waits until all that the pages need is stored, as a user does who stays for a while. */
export async function waitUntilStored(shop: ConsoleUnderTest): Promise<void> {
  await waitUntil('the console is stored', () =>
    shop.page.evaluate(async () => {
      const { pages } = (await (await fetch('/build.json')).json()) as { pages: string[] }
      const stored = await Promise.all(['/index.html', ...pages].map(address => caches.match(address)))
      return navigator.serviceWorker.controller !== null && stored.every(Boolean)
    }),
  )
}

/** Kills the server, and starts it again. */
export async function whileAway(shop: ConsoleUnderTest, act: () => Promise<void>): Promise<void> {
  await shop.killServer()
  try {
    await act()
  } finally {
    await shop.startServer()
  }
}
