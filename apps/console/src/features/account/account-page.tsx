import { saveProfile, type SessionUser } from '@floorcast/contract/auth.ts'
import type { Language } from '@floorcast/contract/fields.ts'
import { changePassword } from '@floorcast/contract/users.ts'
import { findLanguage } from '@floorcast/contract/locales.ts'
import { Anchor, Button, Group, Stack, TextInput, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { useFormat } from '../../platform/format.ts'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { nameFields } from '../../platform/person-name.ts'
import { personalize, usePersonalization } from '../../platform/personalization.ts'
import { updateUser, useSignedInUser } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { Field, Fields } from '../../ui/detail/fields.tsx'
import { EditButton } from '../../ui/detail/item-actions.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { LanguageField } from '../../ui/language-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import {
  ownProfileQuery,
  useSaveProfile,
  userQuery,
  useReadChoices,
  useChangePassword,
} from './account-data.ts'
import { AccountDialog, DialogForm, type DialogProps } from './account-dialog.tsx'
import { SecondFactorPanel } from './second-factor-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

const Values = saveProfile.body.pick({ firstName: true, lastName: true, language: true }).required()

interface AccountFormProps {
  user: SessionUser
  mailLanguage: Language
  onClose: () => void
}

function AccountForm({ user, mailLanguage, onClose }: AccountFormProps) {
  const { t, tag } = useTranslate()
  const { mutateAsync } = useSaveProfile()
  const initial = { firstName: user.firstName, lastName: user.lastName, language: mailLanguage }
  const save = async (values: typeof initial) => {
    const { language, ...names } = Values.parse(values)
    await mutateAsync({ ...names, language })
    updateUser(names)
    void toast('success', t('saved'))
  }
  return (
    <SideForm title={t('account:edit')} schema={Values} initial={initial} onSave={save} onClose={onClose}>
      {form => (
        <>
          {nameFields(tag).map((field, index) => (
            <TextInput
              key={field}
              label={t(`account:${field}`)}
              autoComplete={field === 'firstName' ? 'given-name' : 'family-name'}
              data-autofocus={index === 0 || undefined}
              {...form.getInputProps(field)}
            />
          ))}
          <LanguageField label={t('account:mailLanguage')} {...form.getInputProps('language')} />
        </>
      )}
    </SideForm>
  )
}

/** The profile of docs/specification.md#2-screens-and-routes: account, names, rights, subscription expiry; and the saved personalization. */
export function AccountPage() {
  const result = useQuery(userQuery())
  const stored = useSignedInUser()
  if (result.isError && !result.data)
    return <ErrorPanel error={result.error} retry={() => void result.refetch()} />
  return (
    <Stack gap="md" maw={880}>
      <Account user={result.data ?? stored} isWaiting={!result.data} />
      <SessionsPanel />
      <SecondFactorPanel />
      <PersonalizationPanel />
    </Stack>
  )
}

/** A long address breaks before its host, not within a name. */
function Email({ address }: { address: string }) {
  const hostAt = address.lastIndexOf('@')
  return (
    <bdi dir="ltr">
      {address.slice(0, hostAt)}
      <wbr />
      {address.slice(hostAt)}
    </bdi>
  )
}

/** @param isWaiting the user is that of the sign-in, whose values only hold the place of those that come */
function Account({ user, isWaiting }: { user: SessionUser; isWaiting: boolean }) {
  const { t, tag } = useTranslate()
  const format = useFormat()
  const [isEditing, setIsEditing] = useState(false)
  const [isChangingPassword, setIsChangingPassword] = useState(false)
  const { language } = useLanguage()
  const profile = useQuery(ownProfileQuery(user.uid))
  const mailLanguage = profile.data?.language ?? language.code
  const show = (value: string) => (isWaiting ? <TextSkeleton text={value} /> : value)
  const buttons = (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconKey size={16} aria-hidden />}
        onClick={() => setIsChangingPassword(true)}
      >
        {t('account:newPassword.change')}
      </Button>
      <EditButton label={t('edit')} onClick={() => setIsEditing(true)} />
    </Group>
  )
  return (
    <Panel title={t('account:account')} end={buttons}>
      <Fields>
        {nameFields(tag).map(field => (
          <Field key={field} label={t(`account:${field}`)}>
            {user[field] && show(user[field])}
          </Field>
        ))}
        <Field label={t('account:email')}>
          {isWaiting ? show(user.email) : <Email address={user.email} />}
        </Field>
        <Field label={t('account:mailLanguage')}>
          {profile.isPending ? <TextSkeleton text={language.name} /> : findLanguage(mailLanguage).name}
        </Field>
        <Field label={t('account:role')}>{show(t(`account:roles.${user.role}`))}</Field>
        <Field label={t('account:rights')}>{show(t(`account:rightsOf.${user.rights}`))}</Field>
        <Field label={t('account:expires')}>
          <Group component="span" gap="0 8px">
            {show(format.date(user.subscriptionExpiresAt))}
            {user.role !== 'streamer' && (
              <Anchor component={Link} to={paths.pricing} size="sm">
                {t('shell:comparePlans')}
              </Anchor>
            )}
          </Group>
        </Field>
      </Fields>
      {isEditing && !isWaiting && !profile.isPending && (
        <AccountForm user={user} mailLanguage={mailLanguage} onClose={() => setIsEditing(false)} />
      )}
      {isChangingPassword && <PasswordDialog onClose={() => setIsChangingPassword(false)} />}
    </Panel>
  )
}

/**
 * Color, mode and menu of this browser, which can be saved to the profile and taken from it
 * (docs/specification.md#1-what-the-product-does-and-for-whom).
 */
function PersonalizationPanel() {
  const { t } = useTranslate()
  const chosen = usePersonalization()
  const { uid } = useSignedInUser()
  const save = useSaveProfile()
  const take = useReadChoices(uid)
  const saveChoice = () =>
    save.mutate(chosen, {
      onSuccess: () => void toast('success', t('account:personalSaved')),
      onError: error => toastFailure(error),
    })
  const takeChoice = () =>
    take.mutate(undefined, { onSuccess: personalize, onError: error => toastFailure(error) })
  return (
    <Panel title={t('account:personal')}>
      <Fields>
        <Field label={t('shell:settings.color')}>{t(`shell:settings.colors.${chosen.color}`)}</Field>
        <Field label={t('account:mode')}>{t(`shell:settings.modes.${chosen.mode}`)}</Field>
        <Field label={t('account:menu')}>{t(`account:menus.${chosen.menuType}`)}</Field>
      </Fields>
      <Text c="dimmed" size="sm" my="md">
        {t('account:personalText')}
      </Text>
      <Group gap="xs">
        <Button loading={save.isPending} onClick={saveChoice}>
          {t('account:savePersonal')}
        </Button>
        <Button variant="default" loading={take.isPending} onClick={takeChoice}>
          {t('account:takePersonal')}
        </Button>
      </Group>
    </Panel>
  )
}

/** Changes the user's own password. The user's other sessions end. */
function PasswordDialog({ onClose }: DialogProps) {
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
