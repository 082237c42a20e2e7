import { Language } from '@floorcast/contract/fields.ts'
import { editUser, type UserRow } from '@floorcast/contract/users.ts'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { sessionStore, updateUser } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { needsPassword, RoleFields, type UserValues } from './role-fields.tsx'
import { nameUser } from './user-names.ts'
import { useEditUser } from './users-data.ts'

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
      isOpen
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
