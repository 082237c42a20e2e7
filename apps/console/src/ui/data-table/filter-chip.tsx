import { Button, type ButtonProps } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import styles from './data-table.module.css'
import type { ListFilter } from './list-column.ts'
import type { ListView } from './list-address.ts'
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

/** The chosen values of a filter, and the ways to choose or leave one, and to leave all. */
export function useFilterValues({ filter, list }: Pick<ChipProps, 'filter' | 'list'>) {
  const isMulti = filter.isMulti ?? filter.found !== undefined
  const valuesOf = ({ filters }: ListView) => {
    const value = filters[filter.name] ?? ''
    return value === '' ? [] : isMulti ? value.split(',') : [value]
  }
  const show = (change: (values: readonly string[]) => readonly string[]) =>
    list.show(now => {
      const { [filter.name]: _, ...others } = now.filters
      const values = change(valuesOf(now))
      return { filters: values.length === 0 ? others : { ...others, [filter.name]: values.join(',') } }
    })
  return {
    values: valuesOf(list.view),
    isMulti,
    choose: (value: string) =>
      show(values => {
        if (!isMulti) return [value]
        return values.includes(value) ? values.filter(other => other !== value) : [...values, value]
      }),
    clear: () => show(() => []),
  }
}
