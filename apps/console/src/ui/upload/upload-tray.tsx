import { outcomes } from '@floorcast/contract/outcomes.ts'
import { useWords, type Words } from '../../platform/i18n.ts'
import { ActionIcon, Button, Collapse, Group, Paper, Progress, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconClock,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { describeFailure, describeOutcome } from '../../platform/outcomes.ts'
import { useStore } from '../../platform/store.ts'
import {
  cancelUpload,
  clearDone,
  clearEnded,
  isUnderWay,
  retryUpload,
  uploads,
  type Upload,
} from './upload-store.ts'
import styles from './upload.module.css'

/** Each file on its way, over every page: progress, speed, cancel, and why one was refused. */
export function UploadTray() {
  const { t } = useWords()
  const all = useStore(uploads)
  const [isOpen, open] = useState(true)
  const [isRead, read] = useState(false)
  const underWay = all.filter(isUnderWay).length
  useLeaving(underWay === 0 && all.some(({ state }) => state === 'done') && !isRead)
  if (all.length === 0) return null
  const title =
    underWay > 0 ? t('upload.underWay', { count: underWay }) : t('upload.allEnded', { count: all.length })
  return (
    <Paper
      component="section"
      className={styles.tray}
      shadow="sm"
      withBorder
      aria-label={t('upload.tray')}
      onMouseEnter={() => read(true)}
      onMouseLeave={() => read(false)}
      onFocus={() => read(true)}
      onBlur={() => read(false)}
    >
      <Group justify="space-between" className={styles.head} wrap="nowrap">
        <Text fw={600} size="sm" role="status">
          {title}
        </Text>
        <Group gap={4} wrap="nowrap">
          {underWay === 0 && (
            <Button variant="subtle" size="compact-sm" onClick={clearEnded}>
              {t('upload.clear')}
            </Button>
          )}
          <ActionIcon
            aria-label={isOpen ? t('upload.fold') : t('upload.unfold')}
            aria-expanded={isOpen}
            onClick={() => open(!isOpen)}
          >
            {isOpen ? <IconChevronDown size={20} aria-hidden /> : <IconChevronUp size={20} aria-hidden />}
          </ActionIcon>
        </Group>
      </Group>
      <Collapse expanded={isOpen}>
        <ul className={styles.files}>
          {all.map(upload => (
            <UploadLine key={upload.id} upload={upload} />
          ))}
        </ul>
      </Collapse>
    </Paper>
  )
}

const leavesAfterMs = 6000

/** What has arrived leaves the tray by itself some seconds after the last, unless somebody is at it. */
function useLeaving(mayLeave: boolean): void {
  useEffect(() => {
    if (!mayLeave) return
    const timer = setTimeout(clearDone, leavesAfterMs)
    return () => clearTimeout(timer)
  }, [mayLeave])
}

function UploadLine({ upload }: { upload: Upload }) {
  const { t } = useWords()
  const format = useFormat()
  const share = upload.file.size === 0 ? 0 : upload.sent / upload.file.size
  // A file that is wrong stays wrong; for one that found no room there may be room later.
  const isFull = upload.outcome?.code === outcomes.storageFull
  const mayRetry =
    upload.state === 'failed' || upload.state === 'cancelled' || (upload.state === 'refused' && isFull)
  return (
    <li className={styles.file} data-state={upload.state}>
      <StateIcon upload={upload} />
      <div className={styles.about}>
        <Text size="sm" truncate title={upload.file.name} dir="auto">
          {upload.file.name}
        </Text>
        <Text size="xs" c="dimmed" className={styles.state}>
          {describeState(t, format, upload)}
        </Text>
        {isUnderWay(upload) && (
          <Progress
            value={share * 100}
            size={4}
            animated={upload.state === 'checking'}
            aria-label={t('upload.progressOf', { name: upload.file.name })}
          />
        )}
      </div>
      {isUnderWay(upload) && (
        <ActionIcon
          aria-label={t('upload.cancelOf', { name: upload.file.name })}
          onClick={() => cancelUpload(upload.id)}
        >
          <IconX size={20} aria-hidden />
        </ActionIcon>
      )}
      {mayRetry && (
        <ActionIcon
          aria-label={t('upload.retryOf', { name: upload.file.name })}
          onClick={() => retryUpload(upload.id)}
        >
          <IconRefresh size={20} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

function StateIcon({ upload }: { upload: Upload }) {
  if (upload.state === 'done') return <IconCheck size={20} aria-hidden className={styles.good} />
  if (upload.state === 'refused' || upload.state === 'failed') {
    return <IconAlertTriangle size={20} aria-hidden className={styles.bad} />
  }
  return <IconClock size={20} aria-hidden className={styles.calm} />
}

function describeState(t: Words, format: Format, upload: Upload): string {
  if (upload.state === 'refused' && upload.outcome) return describeOutcome(t, upload.outcome)
  if (upload.state === 'failed') return describeFailure(t, upload.failure)
  if (upload.state === 'sending') {
    const share = upload.file.size === 0 ? 0 : upload.sent / upload.file.size
    return t('upload.sending', { share: format.percent(share), speed: format.size(upload.speed) })
  }
  if (upload.state === 'done') return t('upload.done', { size: format.size(upload.file.size) })
  if (upload.state === 'checking') return t('upload.checking')
  if (upload.state === 'cancelled') return t('upload.cancelled')
  return t('upload.waiting')
}
