import { ActionIcon, CopyButton, Group } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslate } from '../../platform/i18n.ts'

/** This number of characters tells files apart; the copy has all. */
const SHOWN = 12

/** The beginning of a file's hash, and a button that copies all of it. */
export function HashCell({ hash }: { hash: string }) {
  const { t } = useTranslate()
  return (
    <Group gap={4} wrap="nowrap">
      <code dir="ltr" title={hash}>
        {`${hash.slice(0, SHOWN)}…`}
      </code>
      <CopyButton value={hash} timeout={2000}>
        {({ copied, copy }) => (
          <ActionIcon
            onClick={copy}
            aria-label={copied ? t('copied') : t('copyOf', { label: t('updates:fields.hash') })}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  )
}
