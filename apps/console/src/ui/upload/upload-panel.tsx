import { ActionIcon, Button, Collapse, Group, Paper, Text } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useLocation } from 'react-router'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { useStore } from '../../platform/store.ts'
import { StatusBadge } from '../status-badge.tsx'
import { UploadLine } from './upload-line.tsx'
import {
  removeDone,
  removeEnded,
  isPaused,
  isActive,
  isRefused,
  uploads,
  type Upload,
} from './upload-store.ts'
import styles from './upload.module.css'

/** All uploads, over every page: progress, speed, cancel, and the reason of a refusal. */
export function UploadPanel() {
  const { t } = useTranslate()
  const all = useStore(uploads)
  const underWay = all.filter(isActive).length
  const [isOpen, setIsOpen] = useIsOpen(all, underWay > 0)
  const [isRead, setIsRead] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const onHold = all.filter(isPaused).length
  useRemoveDone(underWay === 0 && all.some(({ state }) => state === 'done') && !isRead)
  if (all.length === 0) return null
  const foldByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    setIsOpen(false)
    // The button that had the focus is folded away.
    toggle.current?.focus()
  }
  return (
    <Paper
      component="section"
      className={styles.tray}
      data-folded={isOpen ? undefined : true}
      onKeyDown={foldByKey}
      shadow="sm"
      withBorder
      aria-label={t('uploads:tray')}
      onMouseEnter={() => setIsRead(true)}
      onMouseLeave={() => setIsRead(false)}
      onFocus={() => setIsRead(true)}
      onBlur={() => setIsRead(false)}
    >
      <Group justify="space-between" className={styles.head} wrap="nowrap">
        <TrayTitle all={all} />
        <Group gap={4} wrap="nowrap">
          {isOpen && underWay === 0 && onHold < all.length && (
            <Button variant="subtle" size="compact-sm" onClick={removeEnded}>
              {t('uploads:clear')}
            </Button>
          )}
          <ActionIcon
            ref={toggle}
            aria-label={isOpen ? t('uploads:collapse') : t('uploads:expand')}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? <IconChevronDown size={20} aria-hidden /> : <IconChevronUp size={20} aria-hidden />}
          </ActionIcon>
        </Group>
      </Group>
      <Collapse expanded={isOpen}>
        <ul className={styles.files}>
          {refusedFirst(all).map(upload => (
            <UploadLine key={upload.id} upload={upload} />
          ))}
        </ul>
      </Collapse>
    </Paper>
  )
}

/**
 * Open while there is news: from each new file on. On another page it is folded, so that it covers nothing there, unless files
 * are on their way; what was refused stays counted in it.
 */
function useIsOpen(all: readonly Upload[], hasActive: boolean) {
  const { pathname } = useLocation()
  const newest = Math.max(0, ...all.map(({ id }) => id))
  const [shown, setShown] = useState({ pathname, newest })
  const [isOpen, setIsOpen] = useState(true)
  if (shown.pathname !== pathname || shown.newest < newest) {
    setShown({ pathname, newest: Math.max(shown.newest, newest) })
    if (shown.newest < newest) setIsOpen(true)
    else if (!hasActive) setIsOpen(false)
  }
  return [isOpen, setIsOpen] as const
}

/** Below the fold nobody would read why a file was not taken. */
const refusedFirst = (all: readonly Upload[]) =>
  all.toSorted((one, other) => Number(isRefused(other)) - Number(isRefused(one)))

/** How many files are on their way or have arrived and, in red, how many have not: in view with the list collapsed too. */
function TrayTitle({ all }: { all: readonly Upload[] }) {
  const { t } = useTranslate()
  const refused = all.filter(isRefused).length
  const text = describeTray(t, all)
  return (
    <Group gap="0 12px" role="status">
      {text !== null && (
        <Text fw={600} size="sm">
          {text}
        </Text>
      )}
      {refused > 0 && <StatusBadge tone="down">{t('uploads:refused', { count: refused })}</StatusBadge>}
    </Group>
  )
}

/** Null while the refused files are all there is to tell. */
function describeTray(t: Translate, all: readonly Upload[]): string | null {
  const active = all.filter(isActive).length
  const onHold = all.filter(isPaused).length
  const done = all.filter(({ state }) => state === 'done').length
  if (active > 0) return t('uploads:active', { count: active })
  if (onHold > 0) return t('uploads:onHold', { count: onHold })
  if (done > 0) return t('uploads:ended', { count: done })
  return all.some(isRefused) ? null : t('uploads:cancelled')
}

const removeDoneMs = 6000

/** Removes successful uploads some seconds after the last, unless the pointer or focus is on the tray. */
function useRemoveDone(mayLeave: boolean): void {
  useEffect(() => {
    if (!mayLeave) return
    const timer = setTimeout(removeDone, removeDoneMs)
    return () => clearTimeout(timer)
  }, [mayLeave])
}
