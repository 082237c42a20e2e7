import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Button, Checkbox, Group, Kbd, Menu, Popover, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconChevronDown, IconColumns3, IconFilter, IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import { useLocation, useNavigation } from 'react-router'
import styles from './data-table.module.css'
import type { ListColumn, ListFilter } from './list-column.ts'
import type { ListControl } from './use-list.ts'
import { enterRows, useSearchKey } from './use-row-keys.ts'

interface ToolbarProps<Row> {
  list: ListControl
  filters: readonly ListFilter[]
  columns: readonly ListColumn<Row>[]
  visibility: Record<string, boolean>
  toggleColumn: (id: string) => void
  actions: ReactNode
  searchField: RefObject<HTMLInputElement | null>
  hasSearch: boolean
}

/** Search, filters as chips, the choice of columns, and the button that adds an item. */
export function ListToolbar<Row>(props: ToolbarProps<Row>) {
  return (
    <Group className={styles.toolbar} gap="xs" wrap="wrap">
      {props.hasSearch && <SearchField list={props.list} field={props.searchField} />}
      {props.filters.map(filter => (
        <FilterChip key={filter.name} filter={filter} list={props.list} />
      ))}
      <Group gap="xs" className={styles.toolbarEnd}>
        <ColumnChoice columns={props.columns} visibility={props.visibility} toggle={props.toggleColumn} />
        {props.actions}
      </Group>
    </Group>
  )
}

const searchWaitMs = 250

function SearchField({ list, field }: { list: ListControl; field: RefObject<HTMLInputElement | null> }) {
  const { t } = useTranslate()
  const [text, setText] = useState(list.view.search)
  const [seen, setSeen] = useState(list.view.search)
  const search = useDebouncedCallback((value: string) => list.show({ search: value.trim() }), searchWaitMs)
  useSearchKey(field)
  // Back, or a cleared filter: the address changed by itself, and the field follows.
  if (seen !== list.view.search) {
    setSeen(list.view.search)
    if (text.trim() !== list.view.search) setText(list.view.search)
  }
  useEffect(() => () => search.cancel(), [search])
  // A search would take back the click on a link whose page is still on its way.
  const { pathname } = useLocation()
  const next = useNavigation().location?.pathname ?? pathname
  useEffect(() => {
    if (next !== pathname) search.cancel()
  }, [next, pathname, search])
  const type = (value: string) => {
    setText(value)
    search(value)
  }
  return (
    <TextInput
      ref={field}
      className={styles.search}
      type="search"
      aria-label={t('list:search')}
      placeholder={t('list:search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? (
          <Kbd size="xs" aria-hidden>
            /
          </Kbd>
        ) : null
      }
      value={text}
      maxLength={200}
      onChange={event => type(event.currentTarget.value)}
      onKeyDown={enterRows}
    />
  )
}

function FilterChip({ filter, list }: { filter: ListFilter; list: ListControl }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { isMulti = false } = filter
  const value = list.view.filters[filter.name] ?? ''
  const values = isMulti ? value.split(',') : [value]
  const chosen = filter.options.filter(option => values.includes(option.value))
  const show = (next: readonly string[]) => {
    const { [filter.name]: _, ...others } = list.view.filters
    list.show({ filters: next.length === 0 ? others : { ...others, [filter.name]: next.join(',') } })
  }
  const choose = (picked: string) => {
    if (!isMulti) return show([picked])
    const isOn = (each: string) => values.includes(each) !== (each === picked)
    show(filter.options.map(option => option.value).filter(isOn))
  }
  return (
    <Menu position="bottom-start" closeOnItemClick={!isMulti}>
      <Menu.Target>
        <Button
          variant={chosen.length > 0 ? 'light' : 'default'}
          radius="xl"
          leftSection={<IconFilter size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {chosen.length > 0
            ? `${filter.label}: ${format.list(chosen.map(({ label }) => label))}`
            : filter.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {filter.options.map(option => (
          <FilterOption
            key={option.value}
            isMulti={isMulti}
            isChosen={chosen.includes(option)}
            choose={() => choose(option.value)}
          >
            {option.label}
          </FilterOption>
        ))}
        {chosen.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconX size={16} aria-hidden />}
              closeMenuOnClick
              onClick={() => show([])}
            >
              {t('list:clearFilter')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface FilterOptionProps {
  isMulti: boolean
  isChosen: boolean
  choose: () => void
  children: string
}

function FilterOption({ isMulti, isChosen, choose, children }: FilterOptionProps) {
  if (isMulti)
    return (
      <Menu.CheckboxItem checked={isChosen} onChange={choose}>
        {children}
      </Menu.CheckboxItem>
    )
  return (
    <Menu.Item onClick={choose} aria-current={isChosen}>
      {children}
    </Menu.Item>
  )
}

function ColumnChoice<Row>(props: {
  columns: readonly ListColumn<Row>[]
  visibility: Record<string, boolean>
  toggle: (id: string) => void
}) {
  const { t } = useTranslate()
  return (
    <Popover position="bottom-end">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconColumns3 size={16} aria-hidden />}
          className={styles.columnChoice}
        >
          {t('list:columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('list:columns')}>
        <Stack gap="xs">
          {props.columns.slice(1).map(column => (
            <Checkbox
              key={column.id}
              label={column.header}
              checked={props.visibility[column.id] ?? true}
              onChange={() => props.toggle(column.id)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
