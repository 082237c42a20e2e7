import { MediaType } from '@floorcast/contract/media.ts'
import { Combobox, Input, InputBase, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { itemNameQuery, itemOptionsQuery, type FilterItem, type ItemKind } from './report-data.ts'

const ALL = 'all'

/** An option's value: the uid, and after a space the content type if it has one. */
const valueOf = ({ uid, contentType }: FilterItem) => (contentType ? `${uid} ${contentType}` : uid)

function itemOf(value: string): FilterItem {
  const [uid = '', type] = value.split(' ')
  const contentType = MediaType.safeParse(type).data
  return contentType ? { uid, contentType } : { uid }
}

interface ItemFilterProps {
  kind: ItemKind
  label: string
  /** Undefined for all. */
  item: FilterItem | undefined
  /** There is no choice of all. */
  isRequired: boolean
  onChange: (item: FilterItem | undefined) => void
}

/** A filter by one item, found by its name on the server; all at first, or none if one is required. */
export function ItemFilter({ kind, label, item, isRequired, onChange }: ItemFilterProps) {
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  const name = useItemName({ kind, item, isRequired })
  const choose = (value: string) => {
    combobox.closeDropdown()
    combobox.focusTarget()
    onChange(value === ALL ? undefined : itemOf(value))
  }
  return (
    <Combobox store={combobox} withinPortal={false} onOptionSubmit={choose}>
      <Combobox.Target withAriaAttributes={false} targetType="button">
        <InputBase
          component="button"
          type="button"
          pointer
          label={label}
          withAsterisk={isRequired}
          aria-label={`${label}: ${name.text}`}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          {/* Its own direction comes from the style of all fields. */}
          {name.isKnown ? name.text : <Input.Placeholder>{name.text}</Input.Placeholder>}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        {combobox.dropdownOpened && <ItemOptions {...{ kind, label, item, isRequired }} />}
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** The picked item, and whether it is one. */
function useItemName({ kind, item, isRequired }: Pick<ItemFilterProps, 'kind' | 'item' | 'isRequired'>): {
  text: string
  isKnown: boolean
} {
  const { t } = useTranslate()
  const { data, isPending } = useQuery({
    ...itemNameQuery(kind, item ?? { uid: '' }),
    enabled: item !== undefined,
  })
  if (!item && isRequired) return { text: t('reports:screen.choose'), isKnown: false }
  if (!item) return { text: t('reports:filters.all'), isKnown: true }
  if (data) return { text: data, isKnown: true }
  return { text: isPending ? t('loading') : t('reports:screen.gone'), isKnown: false }
}

function ItemOptions({ kind, label, item: chosen, isRequired }: Omit<ItemFilterProps, 'onChange'>) {
  const { t } = useTranslate()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const options = useQuery({ ...itemOptionsQuery(kind, search), placeholderData: keepPreviousData })
  return (
    <>
      <Combobox.Search
        value={text}
        aria-label={t('reports:screen.find', { label })}
        placeholder={t('reports:screen.find', { label })}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label={label}>
        {text === '' && !isRequired && (
          <Combobox.Option value={ALL} active={chosen === undefined}>
            {t('reports:filters.all')}
          </Combobox.Option>
        )}
        {options.data?.items.map(item => (
          <Combobox.Option key={item.uid} value={valueOf(item)} active={item.uid === chosen?.uid}>
            <bdi>{item.name}</bdi>
          </Combobox.Option>
        ))}
        {options.data?.items.length === 0 && <Combobox.Empty>{t('list:nothingFound')}</Combobox.Empty>}
      </Combobox.Options>
      <Text size="xs" c="dimmed" px="xs" role="status">
        {options.isPending && t('loading')}
        {options.isError && t('failedTitle')}
        {options.data?.hasMore && t('reports:screen.more')}
      </Text>
    </>
  )
}
