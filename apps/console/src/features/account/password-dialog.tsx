import { changePassword } from '@floorcast/contract/users.ts'
import { Text } from '@mantine/core'
import type { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { useChangePassword } from './account-data.ts'
import { AccountDialog, DialogForm, type DialogProps } from './account-dialog.tsx'

/** Changes the user's own password. The user's other sessions end. */
export function PasswordDialog({ onClose }: DialogProps) {
  const { t } = useTranslate()
  const { mutateAsync } = useChangePassword()
  const save = async (values: z.input<typeof changePassword.body>) => {
    await mutateAsync(values)
    void toast('success', t('account:newPassword.done'))
    onClose()
  }
  return (
    <AccountDialog title={t('account:newPassword.title')} onClose={onClose}>
      <DialogForm
        schema={changePassword.body}
        initial={{ current: '', password: '' }}
        submitLabel={t('account:newPassword.change')}
        onSave={save}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('account:newPassword.text')}</Text>
            <PasswordField
              label={t('account:newPassword.current')}
              autoComplete="current-password"
              field={form.getInputProps('current')}
              isFirst
            />
            <PasswordField
              label={t('account:newPassword.new')}
              autoComplete="new-password"
              hint={t('auth:passwordHint')}
              field={form.getInputProps('password')}
            />
          </>
        )}
      </DialogForm>
    </AccountDialog>
  )
}
