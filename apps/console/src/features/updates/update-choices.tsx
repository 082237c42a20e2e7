import { listChannels, type ChannelRow } from '@floorcast/contract/update-channels.ts'
import { listUpdateFiles, type UpdateFileRow } from '@floorcast/contract/update-files.ts'
import { listPackages, type PackageRow, type PackageState } from '@floorcast/contract/update-packages.ts'
import { useState, type ReactNode } from 'react'
import { call } from '../../platform/client.ts'
import { useFormat } from '../../platform/format.ts'
import { isolate, useTranslate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { SearchSelect } from '../../ui/search-select.tsx'
import { nameOfPackage } from './update-requests.ts'

/** The number of items that are listed before the user types. */
const LISTED = 30

interface ChoiceProps<Item> {
  /** Empty while nothing is chosen. */
  value: string
  /** The chosen item when the form is opened. */
  initial?: Item | undefined
  onChange: (uid: string) => void
  error?: ReactNode
  'data-path'?: string
  'data-autofocus'?: boolean | undefined
}

/** Remembers the chosen item: the list may not show it later. */
function useChosen<Item extends { uid: string }>({ value, initial, onChange }: ChoiceProps<Item>) {
  const [picked, setPicked] = useState(initial)
  const choose = (uid: string | null, item: Item | undefined) => {
    setPicked(item)
    onChange(uid ?? '')
  }
  return { value: value || null, chosen: picked?.uid === value ? picked : undefined, onChange: choose }
}

type PackageItem = Pick<PackageRow, 'uid' | 'name' | 'version' | 'state'>

/** A package. @param state packages of this state only */
export function PackageChoice({ state, ...props }: ChoiceProps<PackageItem> & { state?: PackageState }) {
  const { t } = useTranslate()
  const { initial: _, ...field } = props
  return (
    <SearchSelect<PackageItem>
      {...field}
      {...useChosen(props)}
      label={t(state === 'draft' ? 'updates:fields.draft' : 'updates:fields.package')}
      required
      labelOf={item => `${isolate(nameOfPackage(item))} · ${t(`updates:package.states.${item.state}`)}`}
      find={(search, signal) =>
        call(listPackages, {
          query: { search, size: LISTED, sort: 'name', ...(state ? { state } : {}) },
          signal,
        })
      }
      findKey={search => queryKeys.updates.found('packages', `${state ?? ''} ${search}`)}
      nothingFound={t(state === 'draft' ? 'updates:package.noDraft' : 'updates:package.nothingFound')}
    />
  )
}

type ChannelItem = Pick<ChannelRow, 'uid' | 'name' | 'state'>

export function ChannelChoice(props: ChoiceProps<ChannelItem>) {
  const { t } = useTranslate()
  const { initial: _, ...field } = props
  return (
    <SearchSelect<ChannelItem>
      {...field}
      {...useChosen(props)}
      label={t('updates:fields.channel')}
      required
      labelOf={({ name, state }) => `${isolate(name)} · ${t(`updates:channel.states.${state}`)}`}
      find={(search, signal) => call(listChannels, { query: { search, size: LISTED, sort: 'name' }, signal })}
      findKey={search => queryKeys.updates.found('channels', search)}
      nothingFound={t('updates:channel.nothingFound')}
    />
  )
}

type FileItem = Pick<UpdateFileRow, 'uid' | 'name' | 'originalName' | 'sizeBytes'>

export function FileChoice(props: ChoiceProps<FileItem>) {
  const { t } = useTranslate()
  const format = useFormat()
  const { initial: _, ...field } = props
  return (
    <SearchSelect<FileItem>
      {...field}
      {...useChosen(props)}
      label={t('updates:fields.file')}
      required
      labelOf={({ originalName, sizeBytes }) => `${isolate(originalName)} · ${format.size(sizeBytes)}`}
      find={(search, signal) =>
        call(listUpdateFiles, { query: { search, size: LISTED, sort: 'uploadedAt', dir: 'desc' }, signal })
      }
      findKey={search => queryKeys.updates.found('files', search)}
      nothingFound={t('updates:file.nothingFound')}
    />
  )
}
