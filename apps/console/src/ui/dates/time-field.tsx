import { TextInput, type TextInputProps } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { readTime } from './typed-time.ts'
import { useTyped } from './use-typed.ts'

export interface TimeFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** HH:MM, or empty. */
  value?: string
  /** Called with HH:MM, with nothing, or with a text that is not a time. */
  onChange?: (time: string) => void
}

const asIs = (time: string) => time

/** A time of day by the 24-hour clock, typed as 9, 930, 9.30, 09:30 or 9:30 pm. */
export function TimeField({ value = '', onChange = () => {}, error, ...field }: TimeFieldProps) {
  const { t } = useTranslate()
  const { text, wrong, type, finish } = useTyped({
    value,
    onChange,
    show: asIs,
    read: readTime,
    isWhole: isWholeTime,
  })
  const shown = wrong === 'wrong' ? t('fields:time-of-day') : error
  return (
    <TextInput
      {...field}
      autoComplete="off"
      inputMode="numeric"
      value={text}
      error={wrong === 'unfinished' ? undefined : shown}
      onChange={event => type(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={event => event.key === 'Enter' && finish()}
    />
  )
}

/** 9 may become 9:30. */
const isWholeTime = (text: string) => /\d{2}\D*$/.test(text)
