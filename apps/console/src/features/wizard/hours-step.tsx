import { secondsOfDay, windowSeconds } from '@floorcast/planner/plan-window.ts'
import { Group, SegmentedControl, Stack, Text, Autocomplete } from '@mantine/core'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { readTime } from '../../ui/dates/typed-time.ts'
import { Panel } from '../../ui/panel.tsx'
import { windowOf, withHours, type DraftChange, type WizardDraft } from './wizard-draft.ts'
import styles from './wizard.module.css'

interface HoursStepProps {
  draft: WizardDraft
  change: (change: DraftChange) => void
}

/** The first step: working hours, round the clock or from one time to another, also over midnight. */
export function HoursStep({ draft, change }: HoursStepProps) {
  const { t } = useTranslate()
  const { isRoundTheClock, startDay, endDay } = draft
  return (
    <Panel title={t('wizard:steps.hours')}>
      <Stack gap="md" maw={640}>
        <Text c="dimmed">{t('wizard:hours.hint')}</Text>
        <SegmentedControl
          className={styles.choice ?? ''}
          aria-label={t('wizard:steps.hours')}
          value={isRoundTheClock ? 'all' : 'set'}
          onChange={value => change(withHours({ isRoundTheClock: value === 'all' }))}
          data={[
            { value: 'all', label: t('wizard:hours.roundTheClock') },
            { value: 'set', label: t('wizard:hours.set') },
          ]}
        />
        {!isRoundTheClock && (
          <Group gap="md" align="flex-start">
            <HourField
              label={t('wizard:hours.start')}
              value={startDay}
              onChange={value => change(withHours({ startDay: value }))}
            />
            <HourField
              label={t('wizard:hours.end')}
              description={t('wizard:hours.endHint')}
              isEnd
              value={endDay}
              onChange={value => change(withHours({ endDay: value }))}
            />
          </Group>
        )}
        <WorkingDay draft={draft} />
      </Stack>
    </Panel>
  )
}

const DAY = 86_400
const ticks = [0, 6, 12, 18, 24]
const twoDigits = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** The window on a bar of 24 hours, and its length. */
function WorkingDay({ draft }: { draft: WizardDraft }) {
  const { t } = useTranslate()
  const format = useFormat()
  const window = windowOf(draft)
  const seconds = windowSeconds(window)
  if (seconds === 0) return null
  const start = secondsOfDay(window.startDay) ?? 0
  const isOverMidnight = start + seconds > DAY
  const parts = isOverMidnight
    ? [
        { from: 0, to: start + seconds - DAY },
        { from: start, to: DAY },
      ]
    : [{ from: start, to: start + seconds }]
  return (
    <div>
      <div className={styles.hours} aria-hidden>
        {parts.map(({ from, to }) => (
          <span
            key={from}
            style={{
              insetInlineStart: `${(from / DAY) * 100}%`,
              inlineSize: `${((to - from) / DAY) * 100}%`,
            }}
          />
        ))}
      </div>
      <div className={styles.hourTicks} aria-hidden>
        {ticks.map(hour => (
          <span key={hour}>{twoDigits(hour)}</span>
        ))}
      </div>
      <Text mt="sm" role="status">
        {isOverMidnight
          ? t('wizard:hours.overMidnight', { length: format.span(seconds) })
          : t('wizard:hours.length', { length: format.span(seconds) })}
      </Text>
    </div>
  )
}

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

/** This end of the window means midnight. */
const lastMinute = '23:59'
const midnight = '24:00'

/** The HH:MM of what a user types, such as 9, 930, 9.30 or 09:30; an end may be 24:00. Empty for anything else. */
export const parseHour = (text: string, isEnd: boolean): string =>
  isEnd && /^24(?:[:.h ]?00)?$/.test(text.trim()) ? lastMinute : (readTime(text) ?? '')

/** The text of the field: the end 23:59 as 24:00. */
export const showHour = (time: string, isEnd: boolean): string =>
  isEnd && time === lastMinute ? midnight : time
