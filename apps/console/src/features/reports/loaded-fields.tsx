import { Select, type SelectProps, Combobox, Input, InputBase, Text, useCombobox } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { MediaType } from '@floorcast/contract/media.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslate } from '../../platform/i18n.ts'
import { itemOptionsQuery, type FilterItem, type ItemKind } from './report-data.ts'

export interface LateSelectProps extends Omit<SelectProps, 'data' | 'value'> {
  value: string
  data: { value: string; label: string; disabled?: boolean }[]
}

/** How a select begins that was used before its code came. */
export interface SelectStart {
  isFocused: boolean
  isOpen: boolean
}

/**
 * Its options are within the page's landmarks, and scroll in the list box itself, which the keyboard moves.
 * @param start what was done with the field before this code came
 */
export function LoadedSelect({ start, ...props }: LateSelectProps & { start: SelectStart }) {
  const field = useRef<HTMLInputElement>(null)
  const { isFocused, isOpen } = start
  useEffect(() => {
    if (isFocused) field.current?.focus()
  }, [isFocused])
  return (
    <Select
      ref={field}
      {...props}
      allowDeselect={false}
      withScrollArea={false}
      comboboxProps={{ withinPortal: false }}
      styles={{ options: { maxBlockSize: 400, overflowY: 'auto' } }}
      defaultDropdownOpened={isOpen}
    />
  )
}

export interface ItemFilterProps {
  kind: ItemKind
  label: string
  /** Undefined for all. */
  item: FilterItem | undefined
  /** The field has no choice of all. */
  isRequired: boolean
  onChange: (item: FilterItem | undefined) => void
}

/** The picked item, and whether it is one. */
export interface ItemName {
  text: string
  isKnown: boolean
}

interface ItemComboboxProps extends ItemFilterProps {
  name: ItemName
  /** It was clicked before its code came. */
  isOpenAtFirst: boolean
}

const ALL = 'all'

/** An option's value: the uid, and after a space the content type if it has one. */
const valueOf = ({ uid, contentType }: FilterItem) => (contentType ? `${uid} ${contentType}` : uid)

function itemOf(value: string): FilterItem {
  const [uid = '', type] = value.split(' ')
  const contentType = MediaType.safeParse(type).data
  return contentType ? { uid, contentType } : { uid }
}

/** The filter with its list. */
export function ItemCombobox(props: ItemComboboxProps) {
  const { t } = useTranslate()
  const { kind, label, item, isRequired, onChange, name, isOpenAtFirst } = props
  const combobox = useCombobox({
    defaultOpened: isOpenAtFirst,
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  const { focusSearchInput } = combobox
  useEffect(() => {
    if (isOpenAtFirst) focusSearchInput()
  }, [isOpenAtFirst, focusSearchInput])
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
          aria-label={t('labeled', { label, value: name.text })}
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
