import type { PointerEvent, SyntheticEvent } from 'react'
import { matchPath } from 'react-router'
import { fetchWaiting } from '../../ui/overlay/on-demand.tsx'
import { loadPage } from '../open-page.ts'
import { pages, type Page } from '../pages.ts'

const preloaded = new Set<Page>()
/** The page itself comes first. */
const waitMs = 100
let timer: ReturnType<typeof setTimeout> | undefined

/** Loads what the page needs when it is used: a click then has it at once. */
function preloadParts(): void {
  timer ??= setTimeout(() => {
    timer = undefined
    void fetchWaiting()
  }, waitMs)
}

/** Loads the page that a link leads to. */
function preloadLinked({ target }: SyntheticEvent): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || link.origin !== location.origin) return
  const page = pages.find(({ path }) => matchPath(path, link.pathname))
  if (!page || preloaded.has(page)) return
  preloaded.add(page)
  // The click tries again, and says it.
  loadPage(page.name).catch(() => preloaded.delete(page))
}

/** Listeners that load what the user is about to need: over links, and as soon as the pointer moves or something has the focus. */
export const preloading = {
  onPointerOver: preloadLinked,
  // A page that comes below a pointer that lies still has an event too.
  onPointerMove: ({ movementX, movementY }: PointerEvent) => {
    if (movementX !== 0 || movementY !== 0) preloadParts()
  },
  onPointerDown: preloadParts,
  onFocus: (event: SyntheticEvent) => {
    preloadLinked(event)
    preloadParts()
  },
}
