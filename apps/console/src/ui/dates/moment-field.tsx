import { Group } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { DateField, type DateFieldProps } from './date-field.tsx'
import { TimeField } from './time-field.tsx'
import { joinMoment, splitMoment } from './wall-moment.ts'

/** A date and a time of day side by side; the value is YYYY-MM-DDTHH:MM, empty, or a text that is not a moment. */
export function MomentField({ value = '', onChange = () => {}, error, ...field }: DateFieldProps) {
  const { t } = useTranslate()
  const { day, time } = splitMoment(value)
  return (
    <Group role="group" aria-label={field.label} align="flex-start" wrap="nowrap" gap="xs">
      <DateField
        {...field}
        flex={1}
        // Beside the field for the time.
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={error}
        value={day}
        // A day without a time begins at midnight.
        onChange={next => onChange(joinMoment(next, next === '' ? '' : time || '00:00'))}
      />
      <TimeField
        label={t('dates:time')}
        {...(field.required === true ? { required: true } : {})}
        w={96}
        value={time}
        onChange={next => onChange(joinMoment(day, next))}
      />
    </Group>
  )
}
