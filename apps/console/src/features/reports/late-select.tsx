import { TextInput } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { createElement, useId, useState } from 'react'
import { latePart } from '../../ui/overlay/late-part.ts'
import type { LateSelectProps, SelectStart } from './loaded-fields.tsx'

const useSelect = latePart(async () => (await import('./loaded-fields.tsx')).LoadedSelect)

/**
 * A select whose list of options, 28 kB of code, is not part of the page's first view. Until it is used, the field shows its
 * value.
 */
export function LateSelect(props: LateSelectProps) {
  const [Loaded, want] = useSelect()
  const list = useId()
  const [start, setStart] = useState<SelectStart>({ isFocused: false, isOpen: false })
  if (Loaded) return createElement(Loaded, { ...props, start })
  const use = (how: Partial<SelectStart>) => {
    setStart(before => ({ ...before, ...how }))
    want()
  }
  const { label, description, inputWrapperOrder, size, className, error, value, data } = props
  return (
    <TextInput
      {...{ label, description, error }}
      {...(inputWrapperOrder ? { inputWrapperOrder } : {})}
      {...(size === undefined ? {} : { size })}
      {...(className === undefined ? {} : { className })}
      readOnly
      role="combobox"
      aria-haspopup="listbox"
      aria-controls={list}
      aria-expanded={false}
      rightSection={<IconSelector size={16} aria-hidden />}
      rightSectionPointerEvents="none"
      value={data.find(option => option.value === value)?.label ?? ''}
      onFocus={() => use({ isFocused: true })}
      // The code may come before the button is released: then no click reaches this field.
      onMouseDown={({ button }) => button === 0 && use({ isOpen: true })}
      onClick={() => use({ isOpen: true })}
    />
  )
}
