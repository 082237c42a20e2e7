import { inviteUser } from '@floorcast/contract/users.ts'
import { Text, TextInput } from '@mantine/core'
import { z } from 'zod'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { needsPassword, RoleFields, type UserValues } from './role-fields.tsx'
import { useInviteUser, type UserLink } from './users-data.ts'

interface InviteFormProps {
  onClose: () => void
  onLink: (link: UserLink) => void
}

/** Only streamers have a device, and none is without. */
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
      isOpen
      title={t('users:invite.title')}
      schema={Values}
      // As the inviter reads: colleagues mostly do.
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
