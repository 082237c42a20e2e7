/** The losses of leaving this page: changes that are not saved, a download. */
const losses = new Set<(event: BeforeUnloadEvent) => void>()

/** The browser asks before it closes or reloads the page. @returns the function that ends it */
export function warnBeforeUnload(): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  losses.add(warn)
  addEventListener('beforeunload', warn)
  return () => {
    losses.delete(warn)
    removeEventListener('beforeunload', warn)
  }
}

export const hasUnsaved = (): boolean => losses.size > 0

/** Whether the user would lose what he is doing with this page: unsaved changes, an open dialog, a name that he edits. */
export const isAtWork = (): boolean =>
  hasUnsaved() || document.querySelector('[role=dialog], [data-editing]') !== null

/** Loads the page again without a question of the browser: the user has been asked. */
export function reloadAnyway(): void {
  for (const warn of losses) removeEventListener('beforeunload', warn)
  location.reload()
}
