/** The parts of the router that code outside of components needs. */
interface PageRouter {
  navigate: (path: string) => unknown
  /** The path that is shown or, after a click on a link, loading. */
  headedFor: () => string
}

let router: PageRouter | null = null

/** The router calls this once it exists. */
export function setRouter(next: PageRouter): void {
  router = next
}

/** Opens an address of the console, from code outside of components, such as a toast's button. */
export function navigateTo(path: string): void {
  if (router) void router.navigate(path)
  else location.assign(path)
}

/**
 * Whether the user has left the page at this path already, though it is still drawn: another one is loading. A page that
 * then writes its address, after a while or after being drawn, would take the user back.
 */
export const hasLeft = (path: string): boolean => router !== null && router.headedFor() !== path
