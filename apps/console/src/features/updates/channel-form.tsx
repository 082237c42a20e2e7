import { CallError } from '@floorcast/contract/client.ts'
import { Description, Name, Reference } from '@floorcast/contract/fields.ts'
import { listGroups, type GroupRow } from '@floorcast/contract/groups.ts'
import type { ChannelRow } from '@floorcast/contract/update-channels.ts'
import { Button, Group, Input } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { call } from '../../platform/client.ts'
import { isolate, useTranslate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { SearchSelect } from '../../ui/search-select.tsx'
import { ItemForm, type ItemFormProps, valuesOf } from '../../ui/side-form/item-form.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { useAddChannel, useEditChannel } from './updates-data.ts'

const Values = z.object({
  name: Name,
  description: Description,
  groups: z.array(Reference),
  version: z.int(),
})
const blank: z.infer<typeof Values> = { name: '', description: '', groups: [], version: 0 }

const draftOf = ({ name, description, groups }: z.infer<typeof Values>) => ({
  name,
  description,
  groupUids: groups.map(({ uid }) => uid),
})

/** The server names the place of an unknown group in its list; here the field of all groups is meant. */
function atGroups(error: unknown): never {
  if (!(error instanceof CallError) || !error.problem?.errors) throw error
  const errors = error.problem.errors.map(({ path, message }) => ({
    path: path.startsWith('groupUids.') ? 'groups' : path,
    message,
  }))
  throw new CallError(error.status, { ...error.problem, errors }, { cause: error })
}

/** Adds a channel or edits one. A concurrent change is not overwritten. */
export function ChannelForm(props: ItemFormProps<ChannelRow>) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddChannel()
  const { mutateAsync: edit } = useEditChannel()
  return (
    <ItemForm
      {...props}
      title={t(props.item ? 'updates:channel.edit' : 'updates:channel.add')}
      schema={Values}
      initial={valuesOf(blank, props.item)}
      add={values => add(draftOf(values)).catch(atGroups)}
      edit={(values, { uid }) => edit({ uid, ...draftOf(values), version: values.version }).catch(atGroups)}
      addedText={({ name }) => t('updates:channel.added', { name })}
    >
      {form => (
        <>
          <NameFields form={form} />
          <GroupsField
            groups={form.getValues().groups}
            error={form.getInputProps('groups')['error'] as ReactNode}
            onChange={groups => form.setFieldValue('groups', groups)}
          />
        </>
      )}
    </ItemForm>
  )
}

interface GroupsFieldProps {
  groups: readonly Reference[]
  error: ReactNode
  onChange: (groups: Reference[]) => void
}

/** The chosen groups, and a field that finds more. */
function GroupsField({ groups, error, onChange }: GroupsFieldProps) {
  const { t } = useTranslate()
  const add = (uid: string | null, group: Reference | undefined) => {
    if (uid === null || !group || groups.some(chosen => chosen.uid === uid)) return
    onChange([...groups, { uid, name: group.name }])
  }
  return (
    <>
      <SearchSelect<Pick<GroupRow, 'uid' | 'name' | 'kind'>>
        label={t('updates:fields.groups')}
        description={t('updates:channel.groupsHint')}
        placeholder={t('updates:channel.addGroup')}
        value={null}
        chosen={undefined}
        labelOf={({ name, kind }) => `${isolate(name)} · ${t(`kinds.${kind}`)}`}
        find={(search, signal) =>
          call(listGroups, { params: { x: 'all' }, query: { search, size: 30, sort: 'name' }, signal })
        }
        findKey={search => queryKeys.groups.found('all', search)}
        nothingFound={t('updates:channel.noGroup')}
        onChange={add}
        isAdding
      />
      <Group gap="xs" mah={240} style={{ overflowY: 'auto' }}>
        {groups.map(group => (
          <Button
            key={group.uid}
            variant="default"
            size="compact-sm"
            rightSection={<IconX size={14} aria-hidden />}
            aria-label={t('updates:channel.removeGroup', { name: group.name })}
            onClick={() => onChange(groups.filter(({ uid }) => uid !== group.uid))}
          >
            <bdi>{group.name}</bdi>
          </Button>
        ))}
      </Group>
      {error && <Input.Error>{error}</Input.Error>}
    </>
  )
}
