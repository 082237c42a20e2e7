import { Button, CloseButton, Divider, Group, Stack } from '@mantine/core'
import { IconCalendarEvent, IconChevronDown } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { MomentField } from '../dates/moment-field.tsx'
import { fillMoment, readMoment } from '../dates/wall-moment.ts'
import { Popover } from '../overlay/overlays.tsx'
import { presetPeriod, presets, type Period, type PeriodPreset } from './period.ts'

interface PeriodChoiceProps {
  period: Period
  onChange: (period: Period) => void
}

/** Chooses the period of a list of events: a preset, or two moments in the browser's time zone. */
export function PeriodChoice({ period, onChange }: PeriodChoiceProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const [isOpen, setIsOpen] = useState(false)
  const isSet = period.from !== undefined || period.to !== undefined
  const choose = (next: Period) => {
    setIsOpen(false)
    onChange(next)
  }
  return (
    <Group gap={4}>
      <Popover
        opened={isOpen}
        onChange={open => (open || !isInCalendar()) && setIsOpen(open)}
        position="bottom-end"
        trapFocus
      >
        <Popover.Target>
          <Button
            variant={isSet ? 'light' : 'default'}
            leftSection={<IconCalendarEvent size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {describePeriod(t, format, period)}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('period:label')}>
          <Stack gap="xs">
            <Presets choose={preset => choose(presetPeriod(preset, new Date()))} />
            <Divider />
            <OwnPeriod period={period} choose={choose} />
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {isSet && <CloseButton aria-label={t('period:clear')} onClick={() => onChange({})} />}
    </Group>
  )
}

/** Escape in a calendar of the fields below closes that alone. */
const isInCalendar = () => document.activeElement?.closest('[data-calendar]') != null

function describePeriod(t: Translate, format: Format, { from, to }: Period): string {
  if (from !== undefined && to !== undefined)
    return t('period:fromTo', { from: format.dateTime(from), to: format.dateTime(to) })
  if (from !== undefined) return t('period:since', { from: format.dateTime(from) })
  if (to !== undefined) return t('period:until', { to: format.dateTime(to) })
  return t('period:anyTime')
}

function Presets({ choose }: { choose: (preset: PeriodPreset) => void }) {
  const { t } = useTranslate()
  return presets.map(preset => (
    <Button
      key={preset}
      variant="subtle"
      color="gray"
      justify="flex-start"
      size="compact-md"
      onClick={() => choose(preset)}
    >
      {t(`period:presets.${preset}`)}
    </Button>
  ))
}

const fieldOf = (instant: string | undefined) => (instant === undefined ? '' : fillMoment(new Date(instant)))

/** Undefined if the field is empty; null if it is not a moment. */
function instantOf(field: string): string | null | undefined {
  if (field === '') return undefined
  const at = readMoment(field)
  return at === null ? null : new Date(at).toISOString()
}

function OwnPeriod({ period, choose }: { period: Period; choose: (period: Period) => void }) {
  const { t } = useTranslate()
  const [fields, setFields] = useState({ from: fieldOf(period.from), to: fieldOf(period.to) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [from, to] = [instantOf(fields.from), instantOf(fields.to)]
    // The field says what is wrong.
    if (from === null || to === null) return
    choose({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {(['from', 'to'] as const).map(name => (
          <MomentField
            key={name}
            label={t(`period:${name}`)}
            value={fields[name]}
            onChange={value => setFields(now => ({ ...now, [name]: value }))}
          />
        ))}
        <Button type="submit">{t('period:show')}</Button>
      </Stack>
    </form>
  )
}
