import { Language } from '@floorcast/contract/fields.ts'
import { inviteUser, editUser, type UserRow } from '@floorcast/contract/users.ts'
import { Text, TextInput, Button, Group, Stack } from '@mantine/core'
import { z } from 'zod'
import { useFormat } from '../../platform/format.ts'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { sessionStore, updateUser } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { PasswordStep } from '../../ui/side-form/password-step.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { needsPassword, RoleFields, type UserValues } from './role-fields.tsx'
import { nameUser } from './user-names.ts'
import { useInviteUser, type UserLink, useEditUser, useRemoveUserSecondFactor } from './users-data.ts'

interface InviteFormProps {
  onClose: () => void
  onLink: (link: UserLink) => void
}

/** Every streamer has a device, and nobody else has one. */
const Values = inviteUser.body
  .extend({ password: z.string() })
  .refine(({ role, linkedDeviceUid }) => role !== 'streamer' || linkedDeviceUid !== null, {
    path: ['linkedDeviceUid'],
    error: 'empty',
  })
  .refine(values => !needsPassword(values, null) || values.password !== '', {
    path: ['password'],
    error: 'empty',
  })

const blank: UserValues & { email: string } = {
  email: '',
  firstName: '',
  lastName: '',
  role: 'manager',
  rights: 'full',
  linkedDeviceUid: null,
  language: null,
  password: '',
}

/** Invites a user by a one-time link: shown once, or mailed where there is a mail server. */
export function InviteForm({ onClose, onLink }: InviteFormProps) {
  const { t } = useTranslate()
  const { language } = useLanguage()
  const { mutateAsync } = useInviteUser()
  const invite = async (values: Record<string, unknown>) => {
    const { password, ...body } = Values.parse(values)
    const { link, expiresAt, sentTo } = await mutateAsync({
      ...body,
      ...(needsPassword(body, null) && { password }),
    })
    if (sentTo !== undefined) void toast('success', t('users:sentTo', { email: sentTo }))
    if (link !== undefined) onLink({ email: body.email, link, expiresAt })
  }
  return (
    <SideForm
      title={t('users:invite.title')}
      schema={Values}
      // The inviter's language: colleagues mostly read the same.
      initial={{ ...blank, language: language.code }}
      saveLabel={t('users:invite.save')}
      onSave={invite}
      onClose={onClose}
    >
      {form => (
        <>
          <Text c="dimmed" size="sm">
            {t('users:invite.text')}
          </Text>
          <TextInput
            type="email"
            label={t('users:columns.email')}
            required
            data-autofocus
            autoComplete="off"
            {...form.getInputProps('email')}
          />
          <RoleFields form={form} before={null} />
        </>
      )}
    </SideForm>
  )
}

/** The fields of the form; `before` are those of the user. */
const valuesOf = (before: UserValues) =>
  editUser.body
    .omit({ uid: true })
    .required({ role: true, rights: true })
    .extend({ language: Language.nullable(), password: z.string() })
    .refine(values => !needsPassword(values, before) || values.password !== '', {
      path: ['password'],
      error: 'empty',
    })
    .refine(({ role, linkedDeviceUid }) => role !== 'streamer' || linkedDeviceUid !== null, {
      path: ['linkedDeviceUid'],
      error: 'empty',
    })

/** Changes names, role, rights or device of a user. What was not changed here is not sent: another admin may have changed it. */
export function UserForm({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync } = useEditUser()
  const initial: UserValues = {
    firstName: user.firstName,
    lastName: user.lastName,
    role: user.role,
    rights: user.rights,
    linkedDeviceUid: user.linkedDevice?.uid ?? null,
    language: user.language,
    password: '',
  }
  const Values = valuesOf(initial)
  const save = async (values: Record<string, unknown>) => {
    const changed = Object.entries(Values.parse(values)).filter(
      ([name, value]) => value !== initial[name as keyof UserValues],
    )
    if (changed.length === 0) return
    const { language, password, ...fields } = Object.fromEntries(changed) as Partial<UserValues>
    await mutateAsync({
      uid: user.uid,
      ...fields,
      ...(language && { language }),
      ...(password !== undefined && needsPassword({ ...initial, ...fields }, initial) && { password }),
    })
    void toast('success', t('users:edit.done', { name: nameUser({ ...user, ...fields }) }))
    // The menu shows what this user may do now.
    if (user.uid === sessionStore.get().user?.uid) updateUser(fields)
  }
  return (
    <SideForm
      title={t('users:edit.title', { name: nameUser(user) })}
      schema={Values}
      initial={{ ...initial }}
      onSave={save}
      onClose={onClose}
    >
      {form => <RoleFields form={form} before={initial} />}
    </SideForm>
  )
}

/** Shows a one-time link. The server stores only its hash, so it cannot be shown again. */
export function LinkDialog({ email, link, expiresAt, onClose }: UserLink & { onClose: () => void }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={t('users:link.title', { email })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <Text>{t('users:link.text')}</Text>
        <CopyField label={t('users:link.label')} text={link} />
        {expiresAt !== undefined && (
          <Text c="dimmed" size="sm">
            {t('users:link.until', { time: format.dateTime(expiresAt) })}
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('users:link.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Removes the second factor of a user who has lost it, by the admin's own password. */
export function FactorDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync } = useRemoveUserSecondFactor()
  const name = nameUser(user)
  const remove = async (password: string) => {
    await mutateAsync({ uid: user.uid, password })
    void toast('success', t('users:factor.done', { name }))
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('users:factor.title', { name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <PasswordStep submitLabel={t('users:factor.button')} onPassword={remove} onClose={onClose}>
        {t('users:factor.text', { name })}
      </PasswordStep>
    </Modal>
  )
}

export { SessionsDialog } from './sessions-dialog.tsx'
export { UserQuestion } from './user-question.tsx'
