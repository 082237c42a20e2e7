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
import { toast } from '../../platform/toasts.ts'
import { SearchSelect } from '../../ui/search-select.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useAddChannel, useEditChannel } from './updates-data.ts'

interface ChannelFormProps {
  /** The channel to edit; without it the form adds one. */
  channel?: ChannelRow
  onClose: () => void
}

const Values = z.object({
  name: Name,
  description: Description,
  groups: z.array(Reference),
  version: z.int(),
})
const blank: z.infer<typeof Values> = { name: '', description: '', groups: [], version: 0 }

/** The server names the place of an unknown group in its list; here the field of all groups is meant. */
function atGroups(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  if (!(error instanceof CallError) || !error.problem?.errors) return error
  const errors = error.problem.errors.map(({ path, message }) => ({
    path: path.startsWith('groupUids.') ? 'groups' : path,
    message,
  }))
  return new CallError(error.status, { ...error.problem, errors }, { cause: error })
}

/** Adds a channel or edits one. A concurrent change is not overwritten. */
export function ChannelForm({ channel, onClose }: ChannelFormProps) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddChannel()
  const { mutateAsync: edit } = useEditChannel()
  const initial = channel
    ? {
        name: channel.name,
        description: channel.description,
        groups: channel.groups,
        version: channel.version,
      }
    : blank
  const save = async (values: typeof initial) => {
    const { groups, version, ...fields } = Values.parse(values)
    const body = { ...fields, groupUids: groups.map(({ uid }) => uid) }
    try {
      if (channel) await edit({ uid: channel.uid, version, ...body })
      else await add(body)
    } catch (error) {
      throw atGroups(error)
    }
    void toast('success', channel ? t('saved') : t('updates:channel.added', { name: fields.name }))
  }
  return (
    <SideForm
      isOpen
      title={t(channel ? 'updates:channel.edit' : 'updates:channel.add')}
      schema={Values}
      initial={initial}
      onSave={save}
      onClose={onClose}
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
    </SideForm>
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
