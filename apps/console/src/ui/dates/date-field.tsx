import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState, type KeyboardEvent } from 'react'
import { useFormat, useRegion } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { localDay } from '../../platform/local-day.ts'
import { useNow } from '../../platform/use-now.ts'
import { onDemand } from '../overlay/on-demand.tsx'
import { Popover } from '../overlay/overlays.tsx'
import { hasWholeYear, isDay, readDay } from './typed-day.ts'
import { useTyped } from './use-typed.ts'

const Calendar = onDemand(async () => (await import('./calendar.tsx')).Calendar)

export interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max' | 'label'> {
  label: string
  /** YYYY-MM-DD, or empty. */
  value?: string
  /** Called with YYYY-MM-DD, with nothing, or with a text that is not a date. */
  onChange?: (day: string) => void
  /** The first and the last day that may be chosen. */
  min?: string | undefined
  max?: string | undefined
}

/**
 * A date as the console writes dates, typed or chosen from a calendar. The browser's own field would follow the browser's
 * language (docs/decisions/0292-write-date-fields-in-the-language-of-the-console.md).
 */
export function DateField({ value = '', onChange = () => {}, min, max, error, ...field }: DateFieldProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const tag = useRegion()
  const today = localDay(new Date(useNow(null)).toISOString())
  const [isOpen, setIsOpen] = useState(false)
  const show = (day: string) => (isDay(day) ? format.day(day) : day)
  const read = (text: string) => readDay(tag, text)
  const { text, wrong, type, finish, set } = useTyped({ value, onChange, show, read, isWhole: hasWholeYear })
  const problem = () => {
    if (wrong === 'unfinished') return undefined
    if (wrong !== null) return t('dates:wrong', { example: format.day(today) })
    if (error) return error
    if (isDay(value) && min !== undefined && value < min) return t('dates:tooEarly', { date: show(min) })
    if (isDay(value) && max !== undefined && value > max) return t('dates:tooLate', { date: show(max) })
    return undefined
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') finish()
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    setIsOpen(true)
  }
  return (
    <TextInput
      {...field}
      autoComplete="off"
      value={text}
      error={problem()}
      onChange={event => type(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={onKeyDown}
      rightSection={
        <CalendarButton
          {...{ isOpen, setIsOpen, min, max }}
          field={field}
          value={isDay(value) ? value : ''}
          onChoose={set}
        />
      }
    />
  )
}

interface CalendarButtonProps extends Pick<DateFieldProps, 'min' | 'max'> {
  isOpen: boolean
  setIsOpen: (isOpen: boolean) => void
  field: Pick<DateFieldProps, 'label' | 'disabled' | 'required'>
  value: string
  onChoose: (day: string) => void
}

function CalendarButton({ isOpen, setIsOpen, field, onChoose, ...calendar }: CalendarButtonProps) {
  const { t } = useTranslate()
  const name = t('dates:open', { label: field.label })
  const choose = (day: string) => {
    onChoose(day)
    setIsOpen(false)
  }
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" disabled={field.disabled === true} aria-label={name}>
          <IconCalendar size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={name}>
        <Calendar {...calendar} mayBeEmpty={field.required !== true} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}
