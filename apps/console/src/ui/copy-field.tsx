import { useTranslate } from '../platform/i18n.ts'
import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Fragment } from 'react'
import styles from './copy-field.module.css'
import { Tooltip } from './overlay/overlays.tsx'
import { TextSkeleton } from './skeletons.tsx'

interface CopyFieldProps {
  label: string
  text: string
  /** Shows only the beginning: nobody reads it, and the copy has all of it. */
  isShort?: boolean
}

/** Text to copy, written left to right in every language, with a copy button. */
export function CopyField({ label, text, isShort = false }: CopyFieldProps) {
  const { t } = useTranslate()
  return (
    <div className={styles.field} data-short={isShort || undefined}>
      <code className={styles.text} dir="ltr">
        {text.split(' ').map((word, index) => (
          // Breaks lines between words only: half an option at the end of a line looks like two.
          <Fragment key={index}>
            {index > 0 && ' '}
            <span className={styles.word}>{word}</span>
          </Fragment>
        ))}
      </code>
      <CopyButton value={text} timeout={2000}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('copied') : t('copy')}>
            <ActionIcon onClick={copy} aria-label={copied ? t('copied') : t('copyOf', { label })}>
              {copied ? <IconCheck size={20} aria-hidden /> : <IconCopy size={20} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  )
}

/** @param text one of the length of that which comes */
export function CopyFieldSkeleton({ text }: { text: string }) {
  return (
    <div className={styles.field} aria-hidden>
      <code className={styles.text}>
        <TextSkeleton text={text} />
      </code>
      <ActionIcon component="span" disabled />
    </div>
  )
}
