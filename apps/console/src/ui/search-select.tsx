import { Select, type ComboboxItem, type ComboboxProps, type OptionsFilter } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode, type Ref } from 'react'
import { useTranslate } from '../platform/i18n.ts'
import { findOptions } from './find-options.ts'

interface SearchSelectProps<Item extends { uid: string }> {
  ref?: Ref<HTMLInputElement>
  label: string
  placeholder?: string
  description?: string
  required?: boolean
  error?: ReactNode
  'data-autofocus'?: boolean | undefined
  'data-path'?: string
  /** The chosen item's uid; null while none is. */
  value: string | null
  /** The chosen item once it is known; the list may not show it. */
  chosen: Item | undefined
  labelOf: (item: Item) => string
  /** An item that is not offered. */
  except?: string | undefined
  /** The items that the server finds. The key has all that they depend on but the text. */
  find: (search: string, signal: AbortSignal) => Promise<{ items: readonly Item[]; total: number }>
  findKey: (search: string) => readonly unknown[]
  /** Shown when nothing is found. */
  nothingFound: string
  onChange: (uid: string | null, item: Item | undefined) => void
  /** Each choice is added to those that stand elsewhere: the field is empty again. */
  isAdding?: boolean
}

/** The options belong to the form: outside of it they would be outside of every landmark. */
const inForm: ComboboxProps = { withinPortal: false }

const all: OptionsFilter = ({ options }) => options

/** The last option of a list that goes on. */
const MORE = 'more'

/** Chooses one of any number of items: the server searches while the user types. */
export function SearchSelect<Item extends { uid: string }>(props: SearchSelectProps<Item>) {
  const { value, chosen, labelOf, except, find, findKey, nothingFound, onChange, ...more } = props
  const { isAdding = false, ...field } = more
  const { t } = useTranslate()
  const [text, setText] = useState('')
  const chosenLabel = chosen && labelOf(chosen)
  // The field shows the chosen item, which is not a search.
  const wanted = text === chosenLabel ? '' : text.replaceAll(/[\u2068\u2069]/g, '').trim()
  const [search] = useDebouncedValue(wanted, 200)
  const { data, isPending, isError, isPlaceholderData } = useQuery({
    queryKey: findKey(search),
    queryFn: ({ signal }) => find(search, signal),
    placeholderData: keepPreviousData,
  })
  const isSearched = search === wanted && !isPlaceholderData
  const found = (data?.items ?? []).filter(({ uid }) => uid !== except)
  const listed = chosen && !found.some(({ uid }) => uid === chosen.uid) ? [chosen, ...found] : found
  const options: ComboboxItem[] = listed.map(item => ({ value: item.uid, label: labelOf(item) }))
  if (isSearched && data && data.total > data.items.length)
    options.push({ value: MORE, label: t('list:moreFound'), disabled: true })
  const choose = (uid: string | null) => {
    if (isAdding) setText('')
    onChange(
      uid,
      listed.find(item => item.uid === uid),
    )
  }
  return (
    <Select
      {...field}
      searchable
      comboboxProps={inForm}
      data={options}
      filter={isSearched ? all : findOptions}
      maxDropdownHeight={280}
      onSearchChange={setText}
      nothingFoundMessage={isPending ? t('loading') : isError ? t('failedTitle') : nothingFound}
      value={value}
      onChange={choose}
      {...(isAdding ? { searchValue: text } : {})}
    />
  )
}
