import { saveProfile, type SessionUser } from '@floorcast/contract/auth.ts'
import { TextInput } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { keepUser } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useSaveAccount } from './account-data.ts'

const Values = saveProfile.body.pick({ firstName: true, lastName: true }).required()

export function AccountForm({
  user,
  isOpen,
  onClose,
}: {
  user: SessionUser
  isOpen: boolean
  onClose: () => void
}) {
  const { t } = useWords()
  const { mutateAsync } = useSaveAccount()
  const initial = { firstName: user.firstName, lastName: user.lastName }
  const save = async (values: typeof initial) => {
    const names = Values.parse(values)
    await mutateAsync(names)
    keepUser(names)
    void toast('success', t('saved'))
  }
  return (
    <SideForm
      isOpen={isOpen}
      title={t('account:edit')}
      schema={Values}
      initial={initial}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <TextInput
            label={t('account:firstName')}
            autoComplete="given-name"
            data-autofocus
            {...form.getInputProps('firstName')}
          />
          <TextInput
            label={t('account:lastName')}
            autoComplete="family-name"
            {...form.getInputProps('lastName')}
          />
        </>
      )}
    </SideForm>
  )
}
