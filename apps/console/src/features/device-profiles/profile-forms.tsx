import {
  ProfileType,
  profileSettings,
  type ProfileCard,
  listProfiles,
  readProfileCard,
  type ProfileRow,
} from '@floorcast/contract/device-profiles.ts'
import { Description, Name, Uid, type Reference } from '@floorcast/contract/fields.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { Input, SegmentedControl, Skeleton, Text, MultiSelect, type ComboboxProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { toast } from '../../platform/toasts.ts'
import { DuplicateDialog } from '../../ui/duplicate/duplicate-dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { findOptions } from '../../ui/find-options.ts'
import { ItemForm, type ItemFormProps, valuesOf } from '../../ui/side-form/item-form.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { profileTypesQuery, useEditProfile } from './profiles-data.ts'
import { SettingFields, type SettingValues } from './setting-fields.tsx'
import { readSettings } from './setting-schema.ts'

/** The settings are checked by the schema of their type, as the server does. */
const Values = z
  .object({
    name: Name,
    description: Description,
    type: ProfileType,
    settings: z.record(z.string(), z.unknown()),
    groupUids: z.array(Uid),
    version: z.int(),
  })
  .superRefine(({ type, settings }, context) => {
    for (const { path, message } of profileSettings[type].safeParse(settings).error?.issues ?? [])
      context.addIssue({ code: 'custom', path: ['settings', ...path], message })
  })
type FormValues = z.output<typeof Values>

const blank: FormValues = {
  name: '',
  description: '',
  type: 'audio',
  settings: {},
  groupUids: [],
  version: 0,
}

/** Adds a profile or edits a paused one. Its type is chosen once; a concurrent change is not overwritten. */
export function ProfileForm(props: ItemFormProps<ProfileCard>) {
  const { t } = useTranslate()
  const { mutateAsync: send } = useEditProfile()
  const { item } = props
  return (
    <ItemForm<ProfileCard, FormValues, FormValues>
      {...props}
      title={t(item ? 'profiles:edit' : 'profiles:add')}
      schema={Values}
      initial={valuesOf(blank, item && { ...item, groupUids: item.groups.map(({ uid }) => uid) })}
      add={({ name, description, type, settings, groupUids }) =>
        send({ name, description, type, settings, groupUids })
      }
      edit={({ name, description, settings, version }, { uid }) =>
        send({ uid, name, description, settings, version })
      }
      addedText={({ name }) => t('profiles:added', { name })}
    >
      {form => (
        <>
          {!item && <TypeField form={form} />}
          <NameFields form={form} />
          <Settings form={form} />
          {!item && (
            <GroupsField
              chosen={[]}
              values={form.getValues().groupUids}
              onChange={uids => form.setFieldValue('groupUids', uids)}
            />
          )}
        </>
      )}
    </ItemForm>
  )
}

type Form = UseFormReturnType<FormValues>

function TypeField({ form }: { form: Form }) {
  const { t } = useTranslate()
  const { type } = form.getValues()
  const choose = (value: string) => {
    const next = ProfileType.options.find(known => known === value)
    if (next) form.setValues({ type: next, settings: {} })
  }
  return (
    <Input.Wrapper label={t('profiles:type')} labelElement="div">
      <SegmentedControl
        fullWidth
        mt={4}
        aria-label={t('profiles:type')}
        data={ProfileType.options.map(value => ({ value, label: t(`profiles:types.${value}`) }))}
        value={type}
        onChange={choose}
      />
      <Text size="sm" c="dimmed" mt={4}>
        {t(`profiles:about.${type}`)}
      </Text>
    </Input.Wrapper>
  )
}

/** The settings of the chosen type, drawn from the server's schema. */
function Settings({ form }: { form: Form }) {
  const { type, settings } = form.getValues()
  const result = useQuery(profileTypesQuery())
  const schema = result.data?.find(known => known.type === type)?.schema
  if (result.isError && !result.data)
    return <ErrorPanel error={result.error} retry={() => void result.refetch()} />
  if (!schema) return <Skeleton height={60} aria-busy />
  return (
    <SettingFields
      settings={readSettings(schema)}
      values={settings}
      errorOf={name => form.errors[`settings.${name}`]}
      onChange={(values: SettingValues) => form.setFieldValue('settings', { ...values })}
    />
  )
}

const inForm: ComboboxProps = { withinPortal: false }

interface GroupsFieldProps {
  /** The groups chosen at first, for their names. */
  chosen: readonly Reference[]
  values: readonly string[]
  onChange: (uids: string[]) => void
}

/** Chooses any number of groups: the server searches while the user types. */
function GroupsField({ chosen, values, onChange }: GroupsFieldProps) {
  const { t } = useTranslate()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const [names, setNames] = useState(() => new Map(chosen.map(({ uid, name }) => [uid, name])))
  const { data, isError } = useQuery({
    queryKey: queryKeys.groups.found('all', search),
    queryFn: ({ signal }) =>
      call(listGroups, { params: { x: 'all' }, query: { search, size: 30, sort: 'name' }, signal }),
    placeholderData: keepPreviousData,
  })
  const found = data?.items ?? []
  const nothingFound = text === '' ? undefined : t('list:nothingFound')
  const shown = new Map([
    ...values.map((uid): [string, string] => [uid, names.get(uid) ?? '…']),
    ...found.map(({ uid, name }): [string, string] => [uid, name]),
  ])
  const choose = (uids: string[]) => {
    setNames(new Map([...names, ...found.map(({ uid, name }): [string, string] => [uid, name])]))
    onChange(uids)
  }
  return (
    <MultiSelect
      label={t('profiles:groups')}
      description={t('profiles:groupsHint')}
      searchable
      filter={findOptions}
      clearable
      hidePickedOptions
      comboboxProps={inForm}
      maxDropdownHeight={280}
      nothingFoundMessage={isError ? t('failedTitle') : nothingFound}
      data={[...shown].map(([value, label]) => ({ value, label }))}
      value={[...values]}
      onChange={choose}
      onSearchChange={setText}
    />
  )
}

const GroupValues = z.object({ groupUids: z.array(Uid) })

/** Chooses the groups that a profile applies to, in any of its states. */
export function ProfileGroupsForm({ profile, onClose }: { profile: ProfileCard; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync: send } = useEditProfile()
  return (
    <SideForm
      title={t('profiles:chooseGroups')}
      schema={GroupValues}
      initial={{ groupUids: profile.groups.map(({ uid }) => uid) }}
      onSave={async ({ groupUids }) => {
        await send({ uid: profile.uid, version: profile.version, groupUids })
        void toast('success', t('saved'))
      }}
      onClose={onClose}
    >
      {form => (
        <GroupsField
          chosen={profile.groups}
          values={form.getValues().groupUids}
          onChange={uids => form.setFieldValue('groupUids', uids)}
        />
      )}
    </SideForm>
  )
}

/** Adds a profile with the same settings, for no groups. */
export function DuplicateProfile({ profile, onClose }: { profile: ProfileRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync: send } = useEditProfile()
  const copy = async (name: string) => {
    const { type, description, settings } = await call(readProfileCard, { params: { id: profile.uid } })
    return send({ name, type, description, settings })
  }
  return (
    <DuplicateDialog
      noun="profile"
      name={profile.name}
      text={t('profiles:copyHas')}
      find={(query, signal) => call(listProfiles, { query, signal })}
      make={async name => (await copy(name)).uid ?? ''}
      to={paths.configurationProfile}
      onClose={onClose}
    />
  )
}
