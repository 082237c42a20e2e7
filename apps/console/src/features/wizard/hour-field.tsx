import { Autocomplete } from '@mantine/core'
import { useState } from 'react'
import { parseHour, showHour } from './wizard-hours.ts'

const halfHours = Array.from(
  { length: 48 },
  (_, n) => `${String(Math.floor(n / 2)).padStart(2, '0')}:${n % 2 === 0 ? '00' : '30'}`,
)

interface HourFieldProps {
  label: string
  description?: string
  /** HH:MM; empty for none. An end of 23:59 is midnight. */
  value: string
  isEnd?: boolean
  onChange: (value: string) => void
}

/** A time of day in the 24-hour clock, typed or chosen by the half hour. */
export function HourField({ label, description, value, isEnd = false, onChange }: HourFieldProps) {
  const shown = showHour(value, isEnd)
  const [text, setText] = useState(shown)
  const isTyped = parseHour(text, isEnd) === value
  return (
    <Autocomplete
      w={160}
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode="numeric"
      maxDropdownHeight={200}
      data={isEnd ? [...halfHours.slice(1), '24:00'] : halfHours}
      value={isTyped ? text : shown}
      onChange={typed => {
        setText(typed)
        const wanted = parseHour(typed, isEnd)
        if (wanted !== value) onChange(wanted)
      }}
      onBlur={() => {
        if (value !== '') setText(shown)
      }}
    />
  )
}
