import { addPasskey, beginPasskey } from '@floorcast/contract/passkeys.ts'
import {
  confirmEnrollment,
  type Passkey,
  removeSecondFactor,
  type TotpDraft,
} from '@floorcast/contract/second-factor.ts'
import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { CodeField, RecoveryCodes, TotpKey } from '../../ui/second-factor.tsx'
import { checkBy, explainFailure } from '../../ui/side-form/field-rules.ts'
import { useSavingForm } from '../../ui/side-form/use-saving-form.ts'
import { useSecondFactor } from './account-data.ts'
import { PasskeyNotMade, usePasskeys } from './passkey-data.ts'

const PasskeyDraft = addPasskey.body.pick({ name: true }).extend(beginPasskey.body.shape)

interface DialogProps {
  onClose: () => void
}

/** Asks for the password, shows the key of the app, takes a code of it, and shows the recovery codes. */
export function SetUpDialog({ onClose, isChange }: DialogProps & { isChange: boolean }) {
  const { t } = useTranslate()
  const { begin, confirm } = useSecondFactor()
  const [draft, setDraft] = useState<TotpDraft | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const ask = async (password: string) => {
    const { secret = '', uri = '' } = await begin({ password })
    setDraft({ secret, uri })
  }
  const check = async (code: string) => setCodes((await confirm({ code })).recoveryCodes ?? [])
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <FactorDialog title={t(isChange ? 'account:factor.change' : 'account:factor.setUp')} onClose={onClose}>
      {draft ? (
        <CodeStep draft={draft} onCode={check} onClose={onClose} />
      ) : (
        <PasswordStep submitLabel={t('account:step.begin')} onPassword={ask} onClose={onClose}>
          {t(isChange ? 'account:factor.changeText' : 'account:factor.setUpText')}
        </PasswordStep>
      )}
    </FactorDialog>
  )
}

/** Has the browser make a passkey, after the password; shows recovery codes with the first factor. */
export function AddPasskeyDialog({ onClose }: DialogProps) {
  const { t } = useTranslate()
  const { addPasskey } = usePasskeys()
  const [codes, setCodes] = useState<readonly string[]>([])
  const save = async (values: { name: string; password: string }) => {
    const { recoveryCodes = [] } = await addPasskey(values)
    void toast('success', t('account:factor.passkeyAdded'))
    if (recoveryCodes.length > 0) setCodes(recoveryCodes)
    else onClose()
  }
  if (codes.length > 0) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <FactorDialog title={t('account:factor.addPasskey')} onClose={onClose}>
      <FactorForm
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
            <OwnPasswordField field={form.getInputProps('password')} />
          </>
        )}
      </FactorForm>
    </FactorDialog>
  )
}

export function RemovePasskeyDialog({ passkey, onClose }: DialogProps & { passkey: Passkey }) {
  const { t } = useTranslate()
  const { removePasskey } = usePasskeys()
  const ask = async (password: string) => {
    await removePasskey({ uid: passkey.uid, password })
    onClose()
  }
  return (
    <FactorDialog title={t('account:factor.removePasskeyTitle')} onClose={onClose}>
      <PasswordStep submitLabel={t('account:factor.remove')} onPassword={ask} onClose={onClose}>
        {t('account:factor.removePasskeyText', { name: passkey.name })}
      </PasswordStep>
    </FactorDialog>
  )
}

/** Replaces the recovery codes, after the password. */
export function RenewDialog({ onClose }: DialogProps) {
  const { t } = useTranslate()
  const { renewCodes } = useSecondFactor()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const ask = async (password: string) => setCodes((await renewCodes({ password })).recoveryCodes ?? [])
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />
  return (
    <FactorDialog title={t('account:factor.renew')} onClose={onClose}>
      <PasswordStep submitLabel={t('account:factor.renew')} onPassword={ask} onClose={onClose}>
        {t('account:factor.renewText')}
      </PasswordStep>
    </FactorDialog>
  )
}

/** Removes the second factor, after the password. */
export function RemoveDialog({ onClose }: DialogProps) {
  const { t } = useTranslate()
  const { remove } = useSecondFactor()
  const ask = async (password: string) => {
    await remove({ password })
    void toast('success', t('account:factor.removed'))
    onClose()
  }
  return (
    <FactorDialog title={t('account:factor.removeTitle')} onClose={onClose}>
      <PasswordStep submitLabel={t('account:factor.remove')} onPassword={ask} onClose={onClose}>
        {t('account:factor.removeText')}
      </PasswordStep>
    </FactorDialog>
  )
}

interface FactorDialogProps extends DialogProps {
  title: string
  children: ReactNode
  /** The dialog closes by its own button only. */
  isKept?: boolean
}

function FactorDialog({ title, onClose, children, isKept = false }: FactorDialogProps) {
  const { t } = useTranslate()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Modal>
  )
}

function CodesDialog({ codes, onClose }: DialogProps & { codes: readonly string[] }) {
  const { t } = useTranslate()
  return (
    <FactorDialog title={t('account:step.codes')} onClose={onClose} isKept>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </FactorDialog>
  )
}

function PasswordStep(
  props: DialogProps & {
    submitLabel: string
    onPassword: (password: string) => Promise<unknown>
    children: ReactNode
  },
) {
  return (
    <FactorForm
      schema={removeSecondFactor.body}
      initial={{ password: '' }}
      submitLabel={props.submitLabel}
      onSave={({ password }) => props.onPassword(password)}
      onClose={props.onClose}
    >
      {form => (
        <>
          <Text size="sm">{props.children}</Text>
          <OwnPasswordField field={form.getInputProps('password')} isFirst />
        </>
      )}
    </FactorForm>
  )
}

function OwnPasswordField({ field, isFirst = false }: { field: object; isFirst?: boolean }) {
  const { t } = useTranslate()
  return (
    <PasswordInput
      label={t('account:factor.password')}
      autoComplete="current-password"
      required
      data-autofocus={isFirst || undefined}
      visibilityToggleButtonProps={{ 'aria-label': t('auth:showPassword') }}
      {...field}
    />
  )
}

function CodeStep({
  draft,
  onCode,
  onClose,
}: DialogProps & { draft: TotpDraft; onCode: (code: string) => Promise<unknown> }) {
  const { t } = useTranslate()
  return (
    <FactorForm
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
    </FactorForm>
  )
}

interface FactorFormProps<Values extends Record<string, unknown>> extends DialogProps {
  schema: z.ZodType
  initial: Values
  submitLabel: string
  onSave: (values: Values) => Promise<unknown>
  children: (form: UseFormReturnType<Values>) => ReactNode
}

/** The form of a dialog. A rejection is shown at its field, or above all fields. */
function FactorForm<Values extends Record<string, unknown>>(props: FactorFormProps<Values>) {
  const { t } = useTranslate()
  const { form, failure, isBusy, submit } = useSavingForm<Values>({
    initial: props.initial,
    check: checkBy(t, props.schema),
    save: props.onSave,
    explain: error =>
      error instanceof PasskeyNotMade
        ? { fields: {}, message: t('account:factor.passkeyFailed') }
        : explainFailure(t, error, Object.keys(props.initial)),
  })
  return (
    <form onSubmit={event => (event.preventDefault(), submit())} noValidate>
      <Stack gap="md">
        {failure !== null && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        {props.children(form)}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {props.submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
