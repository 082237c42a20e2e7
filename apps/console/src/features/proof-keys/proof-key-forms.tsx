import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { localDay } from '../../platform/local-day.ts'
import { toast } from '../../platform/toasts.ts'
import { useNow } from '../../platform/use-now.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MomentField } from '../../ui/dates/moment-field.tsx'
import { fillMoment, readMoment } from '../../ui/dates/wall-moment.ts'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { showKeyId, useMarkProofKey, type ProofKey, useRenewProofKey } from './proof-keys-data.ts'

const Values = z.object({
  since: z
    .string()
    .refine(since => readMoment(since) !== null, 'moment')
    .refine(since => (readMoment(since) ?? 0) <= Date.now(), 'future'),
})

/** Asks since when another person may have the key, after telling what follows. */
export function MarkForm({ proofKey, onClose }: { proofKey: ProofKey; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync } = useMarkProofKey()
  const today = localDay(new Date(useNow(null)).toISOString())
  const { keyId, retiredAt, compromisedSince } = proofKey
  const key = showKeyId(keyId)
  const save = async ({ since }: z.infer<typeof Values>) => {
    await mutateAsync({ keyId, since: new Date(readMoment(since) ?? 0).toISOString() })
    void toast('success', t('proofKeys:mark.done', { key }))
  }
  const effects = [
    'proofKeys:mark.effects.all',
    ...(retiredAt === null ? (['proofKeys:mark.effects.new'] as const) : []),
    'proofKeys:mark.effects.again',
    'proofKeys:mark.effects.final',
  ] as const
  return (
    <SideForm
      title={t('proofKeys:mark.title')}
      schema={Values}
      initial={{ since: compromisedSince === null ? '' : fillMoment(new Date(compromisedSince)) }}
      saveLabel={t('proofKeys:mark.button')}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <Text>
            {t('proofKeys:fingerprint')}: <bdi dir="ltr">{key}</bdi>
          </Text>
          <Alert
            color="red"
            icon={<IconAlertTriangle size={20} aria-hidden />}
            title={t('proofKeys:mark.follows')}
          >
            <List size="sm" spacing={4}>
              {effects.map(effect => (
                <List.Item key={effect}>{t(effect)}</List.Item>
              ))}
            </List>
          </Alert>
          <MomentField
            label={t('proofKeys:mark.since')}
            description={t('proofKeys:mark.sinceHint')}
            required
            max={today}
            {...form.getInputProps('since')}
          />
        </>
      )}
    </SideForm>
  )
}

/** Asks before the key that signs is replaced, or makes the first one. */
export function RenewQuestion({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync } = useRenewProofKey()
  const renew = async () => {
    await mutateAsync()
    void toast('success', t('proofKeys:renew.done'))
  }
  return (
    <ConfirmDialog
      isOpen
      title={t(isFirst ? 'proofKeys:renew.firstTitle' : 'proofKeys:renew.title')}
      confirmLabel={t(isFirst ? 'proofKeys:renew.first' : 'proofKeys:renew.button')}
      onConfirm={renew}
      onClose={onClose}
    >
      {t(isFirst ? 'proofKeys:renew.firstText' : 'proofKeys:renew.text')}
    </ConfirmDialog>
  )
}
