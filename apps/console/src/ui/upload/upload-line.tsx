import { outcomes } from '@floorcast/contract/outcomes.ts'
import { ActionIcon, Button, FileButton, Progress, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { describeFailure, describeOutcome, isPlanLimit } from '../../platform/outcomes.ts'
import { PlansLink } from '../failure-text.tsx'
import { UnreadableFile } from './tus-upload.ts'
import {
  cancelUpload,
  resumeWithFile,
  isPaused,
  isActive,
  pauseUpload,
  resumeUpload,
  type Upload,
} from './upload-store.ts'
import styles from './upload.module.css'

const shareOf = ({ sent, size }: Upload) => (size === 0 ? 0 : sent / size)

/** One upload in the tray: progress and actions. */
export function UploadLine({ upload }: { upload: Upload }) {
  const { t } = useTranslate()
  const format = useFormat()
  const isUnfinished = isActive(upload) || isPaused(upload)
  return (
    <li className={styles.file} data-state={upload.state}>
      <StateIcon upload={upload} />
      <div className={styles.about}>
        <Text size="sm" truncate title={upload.name} dir="auto" className={styles.name}>
          {upload.name}
        </Text>
        <Text size="xs" c="dimmed" className={styles.state}>
          {describeState(t, format, upload)} {upload.outcome && isPlanLimit(upload.outcome) && <PlansLink />}
        </Text>
        {isUnfinished && (
          <Progress
            className={styles.progress}
            value={shareOf(upload) * 100}
            size={4}
            {...(isPaused(upload) || upload.state === 'lost' ? { color: 'gray' } : {})}
            animated={upload.state === 'checking'}
            aria-label={t('uploads:progressOf', { name: upload.name })}
          />
        )}
        {upload.state === 'interrupted' && <ChooseFileAgain upload={upload} />}
      </div>
      <LineActions upload={upload} isUnfinished={isUnfinished} />
    </li>
  )
}

/** A closed page loses its files, so the user chooses the file again to resume. */
function ChooseFileAgain({ upload: { id, name } }: { upload: Upload }) {
  const { t } = useTranslate()
  return (
    <FileButton onChange={file => file && resumeWithFile(id, file)}>
      {props => (
        <Button
          {...props}
          variant="light"
          size="compact-sm"
          mt={8}
          aria-label={t('uploads:chooseOf', { name })}
        >
          {t('uploads:choose')}
        </Button>
      )}
    </FileButton>
  )
}

function LineActions({ upload, isUnfinished }: { upload: Upload; isUnfinished: boolean }) {
  const { t } = useTranslate()
  const { id, name, state, outcome, failure } = upload
  const mayPause = state === 'waiting' || state === 'sending' || state === 'lost'
  // A wrong file stays wrong; storage may be freed.
  const isFull = state === 'refused' && outcome?.code === outcomes.storageFull
  const mayRetry =
    (state === 'failed' && !(failure instanceof UnreadableFile)) || state === 'cancelled' || isFull
  return (
    <div className={styles.actions}>
      {mayPause && (
        <Action label={t('uploads:pauseOf', { name })} onClick={() => pauseUpload(id)}>
          <IconPlayerPause size={20} aria-hidden />
        </Action>
      )}
      {state === 'paused' && (
        <Action label={t('uploads:resumeOf', { name })} onClick={() => resumeUpload(id)}>
          <IconPlayerPlay size={20} aria-hidden />
        </Action>
      )}
      {mayRetry && (
        <Action label={t('uploads:retryOf', { name })} onClick={() => resumeUpload(id)}>
          <IconRefresh size={20} aria-hidden />
        </Action>
      )}
      {isUnfinished && (
        <Action label={t('uploads:cancelOf', { name })} onClick={() => cancelUpload(id)}>
          <IconX size={20} aria-hidden />
        </Action>
      )}
    </div>
  )
}

function Action({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <ActionIcon aria-label={label} title={label} onClick={onClick}>
      {children}
    </ActionIcon>
  )
}

function StateIcon({ upload }: { upload: Upload }) {
  const { state } = upload
  if (state === 'done') return <IconCheck size={20} aria-hidden className={styles.good} />
  if (state === 'refused' || state === 'failed')
    return <IconAlertTriangle size={20} aria-hidden className={styles.bad} />
  if (state === 'lost' || state === 'interrupted')
    return <IconAlertTriangle size={20} aria-hidden className={styles.late} />
  return <IconClock size={20} aria-hidden className={styles.calm} />
}

function describeState(t: Translate, format: Format, upload: Upload): string {
  const share = format.percent(shareOf(upload))
  switch (upload.state) {
    case 'refused':
      return upload.outcome ? describeOutcome(t, upload.outcome) : ''
    case 'failed':
      return upload.failure instanceof UnreadableFile
        ? t('uploads:unreadable')
        : describeFailure(t, upload.failure)
    case 'sending':
      return t('uploads:sending', { share, speed: format.size(upload.speed) })
    case 'interrupted':
      return upload.isOther
        ? t('uploads:differentFile', { size: format.size(upload.size) })
        : t(upload.sent === 0 ? 'uploads:notUploaded' : 'uploads:interrupted', { share })
    case 'done':
      return t('uploads:done', { size: format.size(upload.size) })
    case 'paused':
    case 'lost':
      return t(`uploads:${upload.state}`, { share })
    case 'checking':
    case 'cancelled':
    case 'waiting':
      return t(`uploads:${upload.state}`)
  }
}
