import { Button, type ButtonProps } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import styles from './data-table.module.css'
import type { ListFilter } from './list-column.ts'
import type { ListControl } from './use-list.ts'

export interface ChipProps {
  filter: ListFilter
  list: ListControl
  isOpenAtFirst: boolean
}

interface ChipText {
  label: string
  /** The names of the chosen values. */
  names: readonly string[]
}

/** The button of a filter, with what it filters by. */
export function ChipButton({
  label,
  names,
  ...props
}: ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & ChipText) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Button
      variant={names.length > 0 ? 'light' : 'default'}
      radius="xl"
      className={styles.chip}
      rightSection={<IconChevronDown size={14} aria-hidden />}
      {...props}
    >
      <span className={styles.chipText}>
        {names.length > 0 ? t('labeled', { label, value: format.list([...names]) }) : label}
      </span>
    </Button>
  )
}

/** The chosen values of a filter, and the way to choose others. */
export function useFilterValues({ filter, list }: Pick<ChipProps, 'filter' | 'list'>) {
  const value = list.view.filters[filter.name] ?? ''
  const isMulti = filter.isMulti ?? filter.found !== undefined
  const values = value === '' ? [] : isMulti ? value.split(',') : [value]
  const show = (next: readonly string[]) => {
    const { [filter.name]: _, ...others } = list.view.filters
    list.show({ filters: next.length === 0 ? others : { ...others, [filter.name]: next.join(',') } })
  }
  return { values, isMulti, show }
}
