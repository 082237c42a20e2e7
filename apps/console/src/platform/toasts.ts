import type { ReactNode } from 'react'
import { createStore } from './store.ts'

/** The kinds of toast of docs/specification.md#9-business-constants-and-limits. */
export type ToastKind = 'info' | 'primary' | 'danger' | 'warning' | 'success'

export interface Toast {
  kind: ToastKind
  message: ReactNode
  title?: string
  /** A button in the toast, for Undo. */
  action?: { label: string; run: () => void }
}

/** The place for toasts, drawn from the first toast on. */
export const toasterStore = createStore<ReactNode>(null)

const maxToasts = 3
let lastId = 0

const loadParts = () => Promise.all([import('@mantine/notifications'), import('./toaster.tsx')])

/** Fetches what toasts are drawn with, because a server that is gone can be told of only by what is here already. */
export function prepareToasts(): void {
  void loadParts().catch(() => undefined)
}

/**
 * Shows a toast (docs/specification.md#9-business-constants-and-limits): 5000 ms, at most 3 at once, newest first, closed by a click.
 * Its parts are loaded later than the sign-in page; where they cannot be, there is no toast and nothing else is lost.
 */
export async function toast(
  kind: ToastKind,
  message: ReactNode,
  more: Omit<Toast, 'kind' | 'message'> = {},
): Promise<void> {
  const parts = await loadParts().catch(() => null)
  if (!parts) return
  const [{ notifications, notificationsStore }, { drawToast, toaster }] = parts
  toasterStore.set(toaster)
  lastId += 1
  // The same words again renew the toast that is there: a failing list would fill the screen.
  const id = typeof message === 'string' ? `${kind}: ${message}` : `toast-${lastId}`
  const drawn = drawToast({ kind, message, ...more }, () => notifications.hide(id))
  const shown = { id, priority: lastId, ...drawn }
  notifications.updateState(notificationsStore, others =>
    [shown, ...others.filter(other => other.id !== id)].slice(0, maxToasts),
  )
}
