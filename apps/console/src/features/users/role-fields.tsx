import { Rights, Role } from '@floorcast/contract/endpoint.ts'
import type { Reference } from '@floorcast/contract/fields.ts'
import type { inviteUser } from '@floorcast/contract/users.ts'
import { Radio, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { nameFields } from '../../platform/person-name.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { LanguageField } from '../../ui/language-field.tsx'
import { SearchSelect } from '../../ui/search-select.tsx'
import { deviceQuery, findDevices } from './users-data.ts'

/** The choices for a user, new or not. */
export type UserValues = Pick<
  z.output<typeof inviteUser.body>,
  'firstName' | 'lastName' | 'role' | 'rights' | 'linkedDeviceUid' | 'language'
> & {
  /** The admin's own. */
  password: string
}

/** Whether the change makes or unmakes an admin, which needs the password. `before`: null for a new user. */
export function needsPassword(
  now: Pick<UserValues, 'role' | 'rights'>,
  before: Pick<UserValues, 'role' | 'rights'> | null,
): boolean {
  if (before?.role === now.role && before.rights === now.rights) return false
  return now.role === 'admin' || before?.role === 'admin'
}

/** Names, language, role and rights; the device that a streamer plays; the own password where the change needs it. */
export function RoleFields<Values extends UserValues & Record<string, unknown>>({
  form,
  before,
}: {
  form: UseFormReturnType<Values>
  before: Pick<UserValues, 'role' | 'rights'> | null
}) {
  const { t, tag } = useTranslate()
  const values = form.getValues()
  const { role } = values
  return (
    <>
      {nameFields(tag).map(field => (
        <TextInput
          key={field}
          label={t(`users:${field}`)}
          autoComplete="off"
          {...form.getInputProps(field)}
        />
      ))}
      <LanguageField description={t('users:languageHint')} {...form.getInputProps('language')} />
      <Radio.Group label={t('users:columns.role')} required {...form.getInputProps('role')}>
        <Stack gap="xs" mt="xs">
          {Role.options.map(value => (
            <Radio
              key={value}
              value={value}
              label={t(`users:roles.${value}`)}
              description={t(`users:roleHints.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {role === 'streamer' ? (
        <DeviceField {...form.getInputProps('linkedDeviceUid')} />
      ) : (
        <Radio.Group label={t('users:columns.rights')} required {...form.getInputProps('rights')}>
          <Stack gap="xs" mt="xs">
            {Rights.options.map(value => (
              <Radio
                key={value}
                value={value}
                label={t(`users:rights.${value}`)}
                description={t(`users:rightsHints.${value}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {needsPassword(values, before) && (
        <PasswordField
          label={t('ownPassword')}
          hint={t('users:passwordHint')}
          autoComplete="current-password"
          field={form.getInputProps('password')}
        />
      )}
    </>
  )
}

interface DeviceFieldProps {
  value?: string | null
  onChange: (uid: string | null) => void
  error?: ReactNode
  'data-path'?: string
}

function DeviceField({ value = null, ...field }: DeviceFieldProps) {
  const { t } = useTranslate()
  const { data: chosen } = useQuery({ ...deviceQuery(value ?? ''), enabled: value !== null })
  return (
    <SearchSelect<Reference>
      {...field}
      label={t('users:columns.device')}
      description={t('users:deviceHint')}
      required
      value={value}
      chosen={chosen}
      labelOf={device => device.name}
      find={findDevices}
      findKey={queryKeys.devices.found}
      nothingFound={t('list:nothingFound')}
    />
  )
}
