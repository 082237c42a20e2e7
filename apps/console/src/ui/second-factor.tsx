import type { TotpDraft } from '@floorcast/contract/second-factor.ts'
import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { saveFile } from '../platform/download.ts'
import { useTranslate } from '../platform/i18n.ts'
import { CopyField } from './copy-field.tsx'
import { QrCode } from './qr-code.tsx'

const GROUP = 4
/** In groups of four, as people read a key aloud; apps ignore the spaces. */
const inGroups = (key: string) => key.match(new RegExp(`.{1,${GROUP}}`, 'g'))?.join(' ') ?? key

/** The key of an authenticator app: as a QR code, and as text. */
export function TotpKey({ draft }: { draft: TotpDraft }) {
  const { t } = useTranslate()
  return (
    <Stack gap="sm">
      <Text size="sm">{t('account:step.scan')}</Text>
      <Group justify="center">
        <QrCode text={draft.uri} label={t('account:step.qr')} size={176} />
      </Group>
      <CopyField label={t('account:step.key')} text={inGroups(draft.secret)} />
    </Stack>
  )
}

/** The field for a code. @param field of the form's `getInputProps` */
export function CodeField({ label, field }: { label: string; field: object }) {
  const input = useRef<HTMLInputElement>(null)
  // The field comes in the place of another form, whose field had the focus.
  useEffect(() => input.current?.focus(), [])
  return (
    <TextInput
      ref={input}
      label={label}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      dir="ltr"
      required
      data-autofocus
      {...field}
    />
  )
}

/** Recovery codes, shown once, with ways to keep them. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslate()
  const copyButton = useRef<HTMLButtonElement>(null)
  // The field that had the focus is gone.
  useEffect(() => copyButton.current?.focus(), [])
  const text = `${codes.join('\n')}\n`
  const save = () => saveFile(new Blob([text], { type: 'text/plain' }), 'floorcast-recovery-codes.txt')
  return (
    <Stack gap="md">
      <Text size="sm">{t('account:step.codesText')}</Text>
      <Stack gap={4} component="ul" p={0} m={0} aria-label={t('account:step.codes')}>
        {codes.map(code => (
          <Text key={code} component="li" size="sm" ff="monospace" dir="ltr" style={{ listStyle: 'none' }}>
            {code}
          </Text>
        ))}
      </Stack>
      <Group gap="xs">
        <CopyButton value={text} timeout={2000}>
          {({ copied, copy }) => (
            <Button ref={copyButton} variant="default" onClick={copy} data-autofocus>
              {copied ? t('copied') : t('copy')}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={save}>
          {t('account:step.saveCodes')}
        </Button>
      </Group>
      <Button onClick={onDone}>{t('account:step.continue')}</Button>
    </Stack>
  )
}
