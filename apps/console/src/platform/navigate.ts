/** What code outside of components needs of the router. */
interface PageRouter {
  navigate: (path: string) => unknown
  /** The path that is shown or, after a click on a link, on its way. */
  headedFor: () => string
}

let router: PageRouter | null = null

/** To be called by the router, once there is one. */
export function setRouter(next: PageRouter): void {
  router = next
}

/** Opens an address of the console, from code that is no component, such as a toast's button. */
export function navigateTo(path: string): void {
  if (router) void router.navigate(path)
  else location.assign(path)
}

/**
 * Whether the user has left the page at this path already, though it is still drawn: another one is on its way. A page that
 * then writes its address of its own accord, after a while or after being drawn, would take the user back.
 */
export const hasLeft = (path: string): boolean => router !== null && router.headedFor() !== path
