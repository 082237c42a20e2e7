import { MAX_FILTER_VALUES } from '@floorcast/contract/fields.ts'
import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import styles from './data-table.module.css'
import { ChipButton, useFilterValues, type ChipProps } from './filter-chip.tsx'
import type { FoundValues, ListFilter } from './list-column.ts'
import { Popover } from '../overlay/overlays.tsx'

/** The names that a chip shows; of more values it shows the number. */
const MAX_NAMES = 2

type FoundFilter = ListFilter & { found: NonNullable<ListFilter['found']> }

const isFoundFilter = (filter: ListFilter): filter is FoundFilter => filter.found !== undefined

/** A filter by values that the server finds: a list of thousands is never loaded. */
export function FoundValuesChip({ filter, ...props }: ChipProps) {
  return isFoundFilter(filter) ? <FoundChip filter={filter} {...props} /> : null
}

function FoundChip({ filter, list, isOpenAtFirst }: ChipProps & { filter: FoundFilter }) {
  const { t } = useTranslate()
  const format = useFormat()
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const { values, choose, clear } = useFilterValues({ filter, list })
  const [before, setBefore] = useState(values)
  const open = (next: boolean) => {
    if (next) setBefore(values)
    setIsOpen(next)
  }
  const nameOf = useNames(filter, values)
  const names = values.slice(0, MAX_NAMES).map(nameOf)
  const others = values.length - names.length
  return (
    <Popover position="bottom-start" opened={isOpen} onChange={open} trapFocus returnFocus>
      <Popover.Target>
        <ChipButton
          label={filter.label}
          names={others > 0 ? [...names, t('list:moreNames', { shown: format.number(others) })] : names}
          onClick={() => open(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={filter.label} className={styles.values}>
        <ValueChoice filter={filter} before={before} values={values} choose={choose} clear={clear} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** The names of chosen values. One that does not exist any more says so. */
function useNames({ found, options }: FoundFilter, values: readonly string[]): (value: string) => string {
  const { t } = useTranslate()
  const unnamed = found.nameOf ? [] : values.filter(value => options.every(option => option.value !== value))
  const { data, isPlaceholderData } = useQuery({
    ...found.query('', unnamed),
    enabled: unnamed.length > 0,
    placeholderData: keepPreviousData,
  })
  return value => {
    const option = options.find(known => known.value === value)
    const name = option?.label ?? found.nameOf?.(value) ?? data?.chosen.find(({ uid }) => uid === value)?.name
    if (name !== undefined) return name
    return data && !isPlaceholderData ? t('list:goneValue') : '…'
  }
}

interface ValueChoiceProps {
  filter: FoundFilter
  /** The values as the chip was opened stand first: the rows stay where they are while they are marked. */
  before: readonly string[]
  values: readonly string[]
  /** Chooses a value, or leaves it. */
  choose: (value: string) => void
  clear: () => void
}

function ValueChoice({ filter, before, values, choose, clear }: ValueChoiceProps) {
  const { t } = useTranslate()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const found = useQuery({ ...filter.found.query(search, []), placeholderData: keepPreviousData })
  const nameOf = useNames(filter, before)
  const first = search === '' ? [...before, ...filter.options.map(({ value }) => value)] : []
  const offered = (found.data?.values ?? []).map(row => ({
    ...row,
    name: filter.found.nameOf?.(row.value) ?? row.name,
  }))
  const rows = toRows({ first, found: offered, nameOf })
  const title = t('list:findValue', { label: filter.label })
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        data-autofocus
        aria-label={title}
        placeholder={title}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        maxLength={200}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Stack gap="xs" className={styles.valueRows} role="group" aria-label={filter.label}>
        {rows.map(row => (
          <Checkbox
            key={row.value}
            label={<ValueLabel {...row} />}
            checked={values.includes(row.value)}
            disabled={values.length >= MAX_FILTER_VALUES && !values.includes(row.value)}
            onChange={() => choose(row.value)}
          />
        ))}
      </Stack>
      <Text size="xs" c="dimmed" role="status">
        {found.isPending && t('loading')}
        {found.isError && t('failedTitle')}
        {found.data?.values.length === 0 && search !== '' && t('list:nothingFound')}
        {found.data?.more === true && t('list:moreValues')}
      </Text>
      {values.length > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={clear}
        >
          {t('list:clearFilter')}
        </Button>
      )}
    </Stack>
  )
}

interface ValueRow {
  value: string
  name: string
  count: number | null
}

/** The values that were chosen before and the fixed ones, then those that the search finds. */
function toRows({
  first,
  found,
  nameOf,
}: {
  first: readonly string[]
  found: FoundValues['values']
  nameOf: (value: string) => string
}): ValueRow[] {
  const counts = new Map(found.map(({ value, count }) => [value, count]))
  return [
    ...[...new Set(first)].map(value => ({ value, name: nameOf(value), count: counts.get(value) ?? null })),
    ...found.filter(({ value }) => !first.includes(value)),
  ]
}

function ValueLabel({ name, count }: ValueRow) {
  const format = useFormat()
  return (
    <>
      <bdi>{name}</bdi>
      {count !== null && (
        <Text span inherit c="dimmed">
          {' '}
          {format.number(count)}
        </Text>
      )}
    </>
  )
}
