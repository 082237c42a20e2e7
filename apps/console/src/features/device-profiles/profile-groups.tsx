import type { ProfileCard } from '@floorcast/contract/device-profiles.ts'
import { Uid, type Reference } from '@floorcast/contract/fields.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { MultiSelect, type ComboboxProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { toast } from '../../platform/toasts.ts'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { findOptions } from '../../ui/find-options.ts'
import { useEditProfile } from './profiles-data.ts'

const inForm: ComboboxProps = { withinPortal: false }

interface GroupsFieldProps {
  /** The groups chosen at first, for their names. */
  chosen: readonly Reference[]
  values: readonly string[]
  onChange: (uids: string[]) => void
}

/** Chooses any number of groups: the server searches while the user types. */
export function GroupsField({ chosen, values, onChange }: GroupsFieldProps) {
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

const Values = z.object({ groupUids: z.array(Uid) })

/** Chooses the groups that a profile applies to, in any of its states. */
export function ProfileGroupsForm({
  profile,
  isOpen,
  onClose,
}: {
  profile: ProfileCard
  isOpen: boolean
  onClose: () => void
}) {
  const { t } = useTranslate()
  const { mutateAsync: send } = useEditProfile()
  return (
    <SideForm
      isOpen={isOpen}
      title={t('profiles:chooseGroups')}
      schema={Values}
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
