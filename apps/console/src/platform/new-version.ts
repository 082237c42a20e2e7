import { readBuild } from './build.ts'
import { createStore } from './store.ts'

/** The first script of this page. */
export const ownMain = (): string =>
  document.querySelector('script[type="module"]')?.getAttribute('src') ?? ''

/** The first script of the build that the server has, if it is another one than this page's; null if not. */
export const newVersion = createStore<string | null>(null)

let lastLook = 0

/** Looks whether the server has another build than this page. What was known stays without an answer. */
export async function findNewVersion(): Promise<void> {
  lastLook += 1
  const look = lastLook
  const build = await readBuild()
  // An earlier answer may come later.
  if (build && look === lastLook) newVersion.set(build.main === ownMain() ? null : build.main)
}
