import type { ReactNode } from 'react'
import { createStore } from './store.ts'

/** SPEC section 9's kinds of toast. */
export type ToastKind = 'info' | 'primary' | 'danger' | 'warning' | 'success'

export interface Toast {
  kind: ToastKind
  message: ReactNode
  title?: string
  /** A button in the toast, for Undo. */
  action?: { label: string; run: () => void }
}

/** Set by the first toast: only then is the place for toasts drawn. */
export const isToasterWanted = createStore(false)

const shownAtOnce = 3
let turn = 0

/**
 * Shows a toast as SPEC section 9 has it: 5000 ms, at most 3 at once, newest first, closed by a click.
 * Loaded when first needed: the sign-in page does not pay for it.
 */
export async function toast(
  kind: ToastKind,
  message: ReactNode,
  more: Omit<Toast, 'kind' | 'message'> = {},
): Promise<void> {
  isToasterWanted.set(true)
  const [{ notifications, notificationsStore }, { drawToast }] = await Promise.all([
    import('@mantine/notifications'),
    import('./toast-body.tsx'),
  ])
  turn += 1
  // The same words again renew the toast that is there: a failing list would fill the screen.
  const id = typeof message === 'string' ? `${kind}: ${message}` : `toast-${turn}`
  const drawn = drawToast({ kind, message, ...more }, () => notifications.hide(id))
  const shown = { id, priority: turn, ...drawn }
  notifications.updateState(notificationsStore, others =>
    [shown, ...others.filter(other => other.id !== id)].slice(0, shownAtOnce),
  )
}
