import { Button } from '@mantine/core'
import { Notifications, type NotificationData } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { useEffect, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import { currentTranslate } from './i18n.ts'
import { sentenceGap } from './sentences.ts'
import place from './toaster.module.css'
import '@mantine/notifications/styles.css'

/** The kinds of toast of docs/specification.md#9-business-constants-and-limits. */
export type ToastKind = 'info' | 'primary' | 'danger' | 'warning' | 'success'

export interface Toast {
  kind: ToastKind
  message: ReactNode
  title?: string
  /** Toasts of one renew each other; without it those of the same text do. */
  cause?: string
  /** A button in the toast, for Undo or the next step. */
  action?: ToastAction
  secondAction?: ToastAction
}

interface ToastAction {
  label: string
  run: () => void
}

const styles: Record<ToastKind, { color: string; icon: typeof IconCheck }> = {
  info: { color: 'info', icon: IconInfoCircle },
  primary: { color: 'primary', icon: IconInfoCircle },
  success: { color: 'green', icon: IconCheck },
  warning: { color: 'amber', icon: IconAlertTriangle },
  danger: { color: 'red', icon: IconX },
}

const shownMs = 5_000
/** There has to be time to read what happened and to choose (WCAG 2.2.1). */
const shownWithActionMs = 10_000

interface ToastControls {
  close: () => void
  /** Stops the time of the toast, or starts it again. Mantine itself stops it under the pointer. */
  setAutoClose: (ms: number | false) => void
}

/** A toast as Mantine's notification; a failure is announced at once, the rest politely. Its time stops while the focus is in it. */
export function drawToast(toast: Toast, { close, setAutoClose }: ToastControls): NotificationData {
  const { color, icon: Icon } = styles[toast.kind]
  const autoClose = toast.action ? shownWithActionMs : shownMs
  const leave = () => {
    close()
    returnFocus()
  }
  return {
    color,
    icon: <Icon size={20} aria-hidden />,
    role: toast.kind === 'danger' ? 'alert' : 'status',
    withBorder: true,
    ...(toast.title === undefined ? {} : { title: toast.title }),
    message: <ToastBody toast={toast} />,
    closeButtonProps: { 'aria-label': currentTranslate().t('common:close') },
    autoClose,
    onClick: leave,
    onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && leave(),
    onFocusCapture: () => setAutoClose(false),
    onBlurCapture: ({ currentTarget, relatedTarget }: FocusEvent) =>
      currentTarget.contains(relatedTarget) || setAutoClose(autoClose),
    'data-kind': toast.kind,
  }
}

/** A success closes the failures before it. */
export const outlives = (earlier: NotificationData, kind: ToastKind): boolean =>
  kind !== 'success' || earlier['data-kind'] !== 'danger'

function ToastBody({ toast }: { toast: Toast }) {
  const actions = [toast.action, toast.secondAction].filter(action => action !== undefined)
  if (actions.length === 0) return toast.message
  return (
    <>
      {toast.message}
      {sentenceGap()}
      {actions.map(({ label, run }) => (
        <Button key={label} className={place.action} variant="subtle" size="compact-sm" onClick={run}>
          {label}
        </Button>
      ))}
    </>
  )
}

/** The focus before the key led it to a toast. */
let formerFocus: HTMLElement | null = null

/** Leads the focus back from a toast that the key led to. */
function returnFocus(): void {
  formerFocus?.focus()
  formerFocus = null
}

/** Alt T leads to the first button of the newest toast: Undo, if it has one. By the key's place, so that it works in each layout. */
function focusNewestToast(event: globalThis.KeyboardEvent): void {
  if (event.code !== 'KeyT' || !event.altKey || event.ctrlKey || event.metaKey) return
  const toast = document.querySelector(`.${place.toasts} [data-kind]`)
  if (!toast) return
  event.preventDefault()
  if (!toast.contains(document.activeElement) && document.activeElement instanceof HTMLElement)
    formerFocus = document.activeElement
  toast.querySelector('button')?.focus()
}

/** At the top center, below the bar, so that they cover no title: decision 0270. */
function Toaster() {
  useEffect(() => {
    addEventListener('keydown', focusNewestToast)
    return () => removeEventListener('keydown', focusNewestToast)
  }, [])
  return (
    <Notifications
      className={place.toasts}
      position="top-center"
      autoClose={shownMs}
      limit={3}
      zIndex={500}
    />
  )
}

/** 5000 ms, with a button 10 s, at most 3 at once (docs/specification.md#9-business-constants-and-limits). */
export const toaster = <Toaster />
