import { useTranslate } from '../../platform/i18n.ts'
import { ActionIcon, Checkbox, Group, Kbd, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconColumns3, IconSearch } from '@tabler/icons-react'
import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import { Popover } from '../overlay/overlays.tsx'
import { ViewMenu } from './saved-views/view-menu.tsx'
import styles from './data-table.module.css'
import type { ListColumn, ListFilter } from './list-column.ts'
import { ListFilters } from './list-filters.tsx'
import type { ListControl } from './use-list.ts'
import { useSearchField } from './search-key.ts'
import { enterRows } from './row-keys.ts'

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

/** Saved views, search, filters as chips, the choice of columns, and the button that adds an item. */
export function ListToolbar<Row>(props: ToolbarProps<Row>) {
  return (
    <Group className={styles.toolbar} gap={6} wrap="wrap">
      <ViewMenu
        list={props.list}
        columns={props.columns.filter(({ id }) => props.visibility[id]).map(({ id }) => id)}
      />
      {props.hasSearch && <SearchField list={props.list} field={props.searchField} />}
      <ListFilters list={props.list} filters={props.filters} />
      <Group gap={6} className={styles.toolbarEnd}>
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
  // Back, or a cleared filter: the address changed by itself, and the field follows.
  if (seen !== list.view.search) {
    setSeen(list.view.search)
    if (text.trim() !== list.view.search) setText(list.view.search)
  }
  useEffect(() => () => search.cancel(), [search])
  const type = (value: string) => {
    setText(value)
    search(value)
  }
  useSearchField(typed => {
    field.current?.focus()
    if (typed !== '') type(text + typed)
  })
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
          <Kbd size="xs" className={`fc-wide ${styles.searchKey}`} aria-hidden>
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

function ColumnChoice<Row>(props: {
  columns: readonly ListColumn<Row>[]
  visibility: Record<string, boolean>
  toggle: (id: string) => void
}) {
  const { t } = useTranslate()
  return (
    <Popover position="bottom-end">
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('list:columns')}
          title={t('list:columns')}
          className={styles.columnChoice}
        >
          <IconColumns3 size={20} aria-hidden />
        </ActionIcon>
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
