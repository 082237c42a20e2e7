import type { ReactNode } from 'react'
import { createStore } from './store.ts'
import type { Toast, ToastKind } from './toaster.tsx'

/** The toaster's element; null before the first toast. */
export const toasterStore = createStore<ReactNode>(null)

const maxToasts = 3
let lastId = 0

const loadParts = () => Promise.all([import('@mantine/notifications'), import('./toaster.tsx')])

/** Loads the toaster early, because it cannot be loaded when the server is down. */
export async function prepareToasts(): Promise<void> {
  await loadParts().catch(() => undefined)
}

/**
 * Shows a toast (docs/specification.md#9-business-constants-and-limits): 5000 ms, with a button 10 s, at most 3 at
 * once, newest first, closed by a click. The toaster is loaded after the sign-in page; if that fails, there is no toast and nothing else
 * is lost.
 */
export async function toast(
  kind: ToastKind,
  message: ReactNode,
  more: Omit<Toast, 'kind' | 'message'> = {},
): Promise<void> {
  const parts = await loadParts().catch(() => null)
  if (!parts) return
  const [{ notifications, notificationsStore }, { drawToast, outlives, toaster }] = parts
  toasterStore.set(toaster)
  lastId += 1
  // A repeated message renews its toast: a failing list would fill the screen.
  const cause = more.cause ?? (typeof message === 'string' ? message : null)
  const id = cause === null ? `toast-${lastId}` : `${kind}: ${cause}`
  const drawn = drawToast(
    { kind, message, ...more },
    {
      close: () => notifications.hide(id),
      setAutoClose: autoClose =>
        notifications.updateState(notificationsStore, all =>
          all.map(each => (each.id === id ? { ...each, autoClose } : each)),
        ),
    },
  )
  const shown = { id, priority: lastId, ...drawn }
  notifications.updateState(notificationsStore, others =>
    [shown, ...others.filter(other => other.id !== id && outlives(other, kind))].slice(0, maxToasts),
  )
}
