import { addPasskey, beginPasskey } from '@floorcast/contract/passkeys.ts'
import { confirmEnrollment, type Passkey, type TotpDraft } from '@floorcast/contract/second-factor.ts'
import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { PasswordStep } from '../../ui/side-form/password-step.tsx'
import { CodeField, RecoveryCodes, TotpKey } from '../../ui/second-factor.tsx'
import {
  useBeginEnrollment,
  useConfirmEnrollment,
  useRemoveSecondFactor,
  useRenewRecoveryCodes,
} from './account-data.ts'
import { AccountDialog, DialogForm, type DialogProps } from './account-dialog.tsx'
import { useAddPasskey, useRemovePasskey } from './passkey-data.ts'

const PasskeyDraft = addPasskey.body.pick({ name: true }).extend(beginPasskey.body.shape)

/** Asks for the password, shows the key of the app, takes a code of it, and shows the recovery codes. */
export function SetUpDialog({ onClose, isChange }: DialogProps & { isChange: boolean }) {
  const { t } = useTranslate()
  const { mutateAsync: begin } = useBeginEnrollment()
  const { mutateAsync: confirm } = useConfirmEnrollment()
  const [draft, setDraft] = useState<TotpDraft | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const ask = async (password: string) => {
    const { secret = '', uri = '' } = await begin({ password })
    setDraft({ secret, uri })
  }
  const check = async (code: string) => setCodes((await confirm({ code })).recoveryCodes ?? [])
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <AccountDialog title={t(isChange ? 'account:factor.change' : 'account:factor.setUp')} onClose={onClose}>
      {draft ? (
        <CodeStep draft={draft} onCode={check} onClose={onClose} />
      ) : (
        <PasswordStep submitLabel={t('account:step.begin')} onPassword={ask} onClose={onClose}>
          {t(isChange ? 'account:factor.changeText' : 'account:factor.setUpText')}
        </PasswordStep>
      )}
    </AccountDialog>
  )
}

/** Has the browser make a passkey, after the password; shows recovery codes with the first factor. */
export function AddPasskeyDialog({ onClose }: DialogProps) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddPasskey()
  const [codes, setCodes] = useState<readonly string[]>([])
  const save = async (values: { name: string; password: string }) => {
    const { recoveryCodes = [] } = await add(values)
    void toast('success', t('account:factor.passkeyAdded'))
    if (recoveryCodes.length > 0) setCodes(recoveryCodes)
    else onClose()
  }
  if (codes.length > 0) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <AccountDialog title={t('account:factor.addPasskey')} onClose={onClose}>
      <DialogForm
        schema={PasskeyDraft}
        initial={{ name: '', password: '' }}
        submitLabel={t('account:factor.addPasskey')}
        onSave={save}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('account:factor.passkeysText')}</Text>
            <TextInput
              label={t('account:factor.passkeyName')}
              required
              data-autofocus
              {...form.getInputProps('name')}
            />
            <PasswordField
              label={t('ownPassword')}
              autoComplete="current-password"
              field={form.getInputProps('password')}
            />
          </>
        )}
      </DialogForm>
    </AccountDialog>
  )
}

export function RemovePasskeyDialog({ passkey, onClose }: DialogProps & { passkey: Passkey }) {
  const { t } = useTranslate()
  const { mutateAsync: remove } = useRemovePasskey()
  const ask = async (password: string) => {
    await remove({ uid: passkey.uid, password })
    onClose()
  }
  return (
    <AccountDialog title={t('account:factor.removePasskeyTitle')} onClose={onClose}>
      <PasswordStep submitLabel={t('account:factor.remove')} onPassword={ask} onClose={onClose}>
        {t('account:factor.removePasskeyText', { name: passkey.name })}
      </PasswordStep>
    </AccountDialog>
  )
}

/** Replaces the recovery codes, after the password. */
export function RenewDialog({ onClose }: DialogProps) {
  const { t } = useTranslate()
  const { mutateAsync: renew } = useRenewRecoveryCodes()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const ask = async (password: string) => setCodes((await renew({ password })).recoveryCodes ?? [])
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <AccountDialog title={t('account:factor.renew')} onClose={onClose}>
      <PasswordStep submitLabel={t('account:factor.renew')} onPassword={ask} onClose={onClose}>
        {t('account:factor.renewText')}
      </PasswordStep>
    </AccountDialog>
  )
}

/** Removes the second factor, after the password. */
export function RemoveDialog({ onClose }: DialogProps) {
  const { t } = useTranslate()
  const { mutateAsync: remove } = useRemoveSecondFactor()
  const ask = async (password: string) => {
    await remove({ password })
    void toast('success', t('account:factor.removed'))
    onClose()
  }
  return (
    <AccountDialog title={t('account:factor.removeTitle')} onClose={onClose}>
      <PasswordStep submitLabel={t('account:factor.remove')} onPassword={ask} onClose={onClose}>
        {t('account:factor.removeText')}
      </PasswordStep>
    </AccountDialog>
  )
}

function CodesDialog({ codes, onClose }: DialogProps & { codes: readonly string[] }) {
  const { t } = useTranslate()
  return (
    <AccountDialog title={t('account:step.codes')} onClose={onClose} isKept>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </AccountDialog>
  )
}

function CodeStep({
  draft,
  onCode,
  onClose,
}: DialogProps & { draft: TotpDraft; onCode: (code: string) => Promise<unknown> }) {
  const { t } = useTranslate()
  return (
    <DialogForm
      schema={confirmEnrollment.body}
      initial={{ code: '' }}
      submitLabel={t('account:step.confirm')}
      onSave={({ code }) => onCode(code)}
      onClose={onClose}
    >
      {form => (
        <>
          <TotpKey draft={draft} />
          <CodeField label={t('account:step.codeOfApp')} field={form.getInputProps('code')} />
        </>
      )}
    </DialogForm>
  )
}
