import { Button } from '@mantine/core'
import { Notifications, type NotificationData } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { currentTranslate, useLanguage } from './i18n.ts'
import place from './toaster.module.css'
import type { Toast, ToastKind } from './toasts.ts'
import '@mantine/notifications/styles.css'

const styles: Record<ToastKind, { color: string; icon: typeof IconCheck }> = {
  info: { color: 'info', icon: IconInfoCircle },
  primary: { color: 'primary', icon: IconInfoCircle },
  success: { color: 'green', icon: IconCheck },
  warning: { color: 'amber', icon: IconAlertTriangle },
  danger: { color: 'red', icon: IconX },
}

/** A toast as Mantine's notification; a failure is announced at once, the rest politely. */
export function drawToast(toast: Toast, close: () => void): NotificationData {
  const { color, icon: Icon } = styles[toast.kind]
  return {
    color,
    icon: <Icon size={20} aria-hidden />,
    role: toast.kind === 'danger' ? 'alert' : 'status',
    withBorder: true,
    ...(toast.title === undefined ? {} : { title: toast.title }),
    message: <ToastBody toast={toast} />,
    closeButtonProps: { 'aria-label': currentTranslate().t('common:close') },
    onClick: close,
    'data-kind': toast.kind,
  }
}

/** After a success, what went wrong before has been mended. */
export const outlives = (earlier: NotificationData, kind: ToastKind): boolean =>
  kind !== 'success' || earlier['data-kind'] !== 'danger'

function ToastBody({ toast }: { toast: Toast }) {
  const actions = [toast.action, toast.secondAction].filter(action => action !== undefined)
  if (actions.length === 0) return toast.message
  return (
    <>
      {toast.message}{' '}
      {actions.map(({ label, run }) => (
        <Button key={label} variant="subtle" size="compact-sm" onClick={run}>
          {label}
        </Button>
      ))}
    </>
  )
}

/** At the bottom, where the lines of a page end, above the upload tray: decision 0239. */
function Toaster() {
  const isMirrored = useLanguage().language.dir === 'rtl'
  return (
    <Notifications
      className={place.toasts}
      position={isMirrored ? 'bottom-left' : 'bottom-right'}
      autoClose={5000}
      limit={3}
      zIndex={500}
    />
  )
}

/** 5000 ms, at most 3 at once (docs/specification.md#9-business-constants-and-limits). */
export const toaster = <Toaster />
