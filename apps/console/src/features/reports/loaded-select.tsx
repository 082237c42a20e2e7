import { Select, type SelectProps } from '@mantine/core'
import { useEffect, useRef } from 'react'

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
