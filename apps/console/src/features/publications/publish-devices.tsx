import type { KindFilter } from '@floorcast/contract/fields.ts'
import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { freeDevicesQuery } from './publish-data.ts'

interface Device {
  uid: string
  name: string
}

interface PublishDevicesProps {
  kind: KindFilter
  devices: readonly Device[]
  onChange: (devices: Device[]) => void
}

/** Chooses devices that are in no group. The server searches. */
export function PublishDevicesField({ kind, devices, onChange }: PublishDevicesProps) {
  const { t } = useTranslate()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const { data, isPending, isError } = useQuery(freeDevicesQuery(kind, search))
  const known = new Map([...devices, ...(data?.items ?? [])].map(({ uid, name }) => [uid, name]))
  const choose = (uids: string[]) => onChange(uids.map(uid => ({ uid, name: known.get(uid) ?? '' })))
  return (
    <MultiSelect
      label={t('publish:devices')}
      description={t('publish:devicesHint')}
      placeholder={t('publish:findDevice')}
      required
      searchable
      hidePickedOptions
      comboboxProps={{ withinPortal: false }}
      data={[...known].map(([value, label]) => ({ value, label }))}
      // The server has searched.
      filter={({ options }) => options}
      maxDropdownHeight={240}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={isPending ? t('loading') : t(isError ? 'failedTitle' : 'publish:noFreeDevice')}
      value={devices.map(({ uid }) => uid)}
      onChange={choose}
    />
  )
}
