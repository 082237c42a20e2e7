import type { DeviceAction } from '@floorcast/contract/bulk-calls.ts'
import { listGroups, readGroup, type GroupRow } from '@floorcast/contract/groups.ts'
import { TagDraft } from '@floorcast/contract/tag-calls.ts'
import { KNOWN_TAG_KEYS } from '@floorcast/contract/tags.ts'
import { Autocomplete, NumberInput, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callQuery } from '../../platform/call-query.ts'
import { call } from '../../platform/client.ts'
import { isolate, useTranslate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { SearchSelect } from '../../ui/search-select.tsx'
import { checkBy } from '../../ui/side-form/field-rules.ts'
import { findOptions } from '../../ui/find-options.ts'

/** The actions on selected devices that a user chooses. */
export type DeviceBulk = Exclude<DeviceAction['do'], 'undo-volume'>
type ActionWithFields = 'join' | 'volume' | 'tag'

export const hasFields = (action: DeviceBulk): action is ActionWithFields =>
  action === 'join' || action === 'volume' || action === 'tag'

interface FieldsProps {
  action: ActionWithFields
  /** The action as the fields say it; null while one is missing or wrong. */
  onChange: (action: DeviceAction | null) => void
}

/** The fields of an action. */
export function BulkDeviceFields({ action, onChange }: FieldsProps) {
  if (action === 'join') return <GroupField onChange={onChange} />
  return action === 'volume' ? <VolumeField onChange={onChange} /> : <TagFields onChange={onChange} />
}

type OnChange = Pick<FieldsProps, 'onChange'>

/** The options belong to the dialog: outside of it they would be outside of every landmark. */
const inDialog = { withinPortal: false }

function GroupField({ onChange }: OnChange) {
  const { t } = useTranslate()
  const [uid, setUid] = useState<string | null>(null)
  const { data: chosen } = useQuery(
    callQuery(queryKeys.groups.card(uid ?? ''), readGroup, {
      params: { id: uid ?? '' },
      enabled: uid !== null,
    }),
  )
  const choose = (groupUid: string | null) => {
    setUid(groupUid)
    onChange(groupUid === null ? null : { do: 'join', groupUid })
  }
  return (
    <SearchSelect<Pick<GroupRow, 'uid' | 'name' | 'kind'>>
      label={t('bulk:devices.join.group')}
      required
      data-autofocus
      value={uid}
      chosen={chosen}
      labelOf={({ name, kind }) => `${isolate(name)} · ${t(`kinds.${kind}`)}`}
      find={(search, signal) =>
        call(listGroups, { params: { x: 'all' }, query: { search, size: 30, sort: 'name' }, signal })
      }
      findKey={search => queryKeys.groups.found('all', search)}
      nothingFound={t('bulk:devices.join.noGroup')}
      onChange={choose}
    />
  )
}

function VolumeField({ onChange }: OnChange) {
  const { t } = useTranslate()
  return (
    <NumberInput
      label={t('bulk:devices.volume.field')}
      required
      data-autofocus
      min={0}
      max={100}
      allowDecimal={false}
      onChange={value =>
        onChange(
          typeof value === 'number' && value >= 0 && value <= 100 ? { do: 'volume', volume: value } : null,
        )
      }
    />
  )
}

function TagFields({ onChange }: OnChange) {
  const { t } = useTranslate()
  const [tag, setTag] = useState({ key: '', value: '' })
  const faults = checkBy(t, TagDraft)(tag)
  const change = (next: typeof tag) => {
    setTag(next)
    const whole = TagDraft.safeParse(next).data
    onChange(whole ? { do: 'tag', tag: whole } : null)
  }
  return (
    <Stack gap="sm">
      <Autocomplete
        label={t('bulk:devices.tag.key')}
        required
        data-autofocus
        comboboxProps={inDialog}
        data={[...KNOWN_TAG_KEYS]}
        filter={findOptions}
        value={tag.key}
        onChange={key => change({ ...tag, key })}
        error={tag.key === '' ? undefined : faults['key']}
      />
      <TextInput
        label={t('bulk:devices.tag.value')}
        required
        value={tag.value}
        onChange={event => change({ ...tag, value: event.currentTarget.value })}
        error={tag.value === '' ? undefined : faults['value']}
      />
    </Stack>
  )
}
