import { ActionIcon, Button, Group, Stack } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useFormat, useRegion } from '../../platform/format.ts'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { localDay } from '../../platform/local-day.ts'
import { useNow } from '../../platform/use-now.ts'
import styles from './calendar.module.css'

const dayMs = 86_400_000
const monday = 1

/** @param days negative: before it */
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** The same day of another month, or that month's last one. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  last.setUTCDate(Math.min(date, last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}

/** 0 is Sunday. */
const weekdayOf = (day: string) => new Date(day).getUTCDay()

/** The first day of the week in a region, 0 for Sunday; Monday where the browser does not know. */
export function firstWeekday(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: monday }).firstDay % 7
}

const startOfWeek = (day: string, first: number): string => addDays(day, -((weekdayOf(day) - first + 7) % 7))

/** The six weeks that hold a day's month, so that the calendar keeps its height. */
export function weeksOf(day: string, first: number): string[][] {
  const start = startOfWeek(`${day.slice(0, 7)}-01`, first)
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (__, at) => addDays(start, week * 7 + at)),
  )
}

interface CalendarProps {
  /** YYYY-MM-DD; empty for none. */
  value: string
  min?: string | undefined
  max?: string | undefined
  mayBeEmpty: boolean
  /** @param day empty: none */
  onChoose: (day: string) => void
}

const earliest = '0001-01-01'
const latest = '9999-12-31'
/** Escape closes the calendar alone, not the dialog around it. */
const withoutDialog = { 'data-mantine-stop-propagation': 'true' }

/** The day that a key leads to; null for another key. */
function dayByKey(event: KeyboardEvent, day: string, { first, isRtl }: { first: number; isRtl: boolean }) {
  const forward = isRtl ? -1 : 1
  const months = event.shiftKey ? 12 : 1
  switch (event.key) {
    case 'ArrowRight':
      return addDays(day, forward)
    case 'ArrowLeft':
      return addDays(day, -forward)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'Home':
      return startOfWeek(day, first)
    case 'End':
      return addDays(startOfWeek(day, first), 6)
    case 'PageDown':
      return addMonths(day, months)
    case 'PageUp':
      return addMonths(day, -months)
    default:
      return null
  }
}

/** A month to choose a day from, by pointer or by the keys of ARIA's date grid. */
export function Calendar({ value, min = earliest, max = latest, mayBeEmpty, onChoose }: CalendarProps) {
  const { t } = useTranslate()
  const today = localDay(new Date(useNow(null)).toISOString())
  const within = (day: string) => (day < min ? min : day > max ? max : day)
  const [day, setDay] = useState(within(value || today))
  const title = useId()
  return (
    <Stack gap="xs" className={styles.calendar ?? ''} data-calendar>
      <MonthBar day={day} titleId={title} show={months => setDay(within(addMonths(day, months)))} />
      <Days {...{ day, value, today, min, max, title, onChoose }} move={next => setDay(within(next))} />
      <Group justify="space-between" gap="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={today !== within(today)}
          {...withoutDialog}
          onClick={() => onChoose(today)}
        >
          {t('dates:today')}
        </Button>
        {mayBeEmpty && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            {...withoutDialog}
            onClick={() => onChoose('')}
          >
            {t('dates:clear')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

const steps = [
  { name: 'previousYear', months: -12, Icon: IconChevronsLeft },
  { name: 'previousMonth', months: -1, Icon: IconChevronLeft },
  { name: 'nextMonth', months: 1, Icon: IconChevronRight },
  { name: 'nextYear', months: 12, Icon: IconChevronsRight },
] as const

interface MonthBarProps {
  day: string
  titleId: string
  show: (months: number) => void
}

function MonthBar({ day, titleId, show }: MonthBarProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const buttons = steps.map(({ name, months, Icon }) => (
    <ActionIcon
      key={name}
      variant="subtle"
      color="gray"
      aria-label={t(`dates:${name}`)}
      {...withoutDialog}
      onClick={() => show(months)}
    >
      <Icon size={16} aria-hidden className="fc-points" />
    </ActionIcon>
  ))
  return (
    <Group gap={0} wrap="nowrap">
      {buttons.slice(0, 2)}
      <div id={titleId} className={styles.title} aria-live="polite">
        {format.month(day.slice(0, 7))}
      </div>
      {buttons.slice(2)}
    </Group>
  )
}

interface DaysProps extends Pick<CalendarProps, 'value' | 'onChoose'> {
  /** The one that the keys move from. */
  day: string
  today: string
  min: string
  max: string
  /** The element that names the month. */
  title: string
  move: (day: string) => void
}

function Days({ day, value, today, min, max, title, move, onChoose }: DaysProps) {
  const tag = useRegion()
  const format = useFormat()
  const { language } = useLanguage()
  const grid = useRef<HTMLTableElement>(null)
  const first = firstWeekday(tag)
  const weeks = weeksOf(day, first)
  const hasKeys = useRef(true)
  // The focus goes with the keys, and stays at a button above that shows another month.
  useEffect(() => {
    if (hasKeys.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    hasKeys.current = false
  }, [day])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = dayByKey(event, day, { first, isRtl: language.dir === 'rtl' })
    if (next === null) return
    event.preventDefault()
    hasKeys.current = true
    move(next)
  }
  return (
    <table ref={grid} role="grid" aria-labelledby={title} className={styles.days} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {weeks[0]?.map(each => (
            // Short names of Arabic are whole words.
            <th key={each} scope="col" abbr={weekdayName(tag, each, 'long')}>
              {weekdayName(tag, each, tag.startsWith('ar') ? 'narrow' : 'short')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map(week => (
          <tr key={week[0]}>
            {week.map(each => (
              <td key={each} aria-selected={each === value}>
                <button
                  type="button"
                  {...withoutDialog}
                  data-outside={each.slice(0, 7) !== day.slice(0, 7) || undefined}
                  tabIndex={each === day ? 0 : -1}
                  data-autofocus={each === day || undefined}
                  disabled={each < min || each > max}
                  aria-current={each === today ? 'date' : undefined}
                  aria-label={fullName(tag, each)}
                  onClick={() => onChoose(each)}
                >
                  {format.number(Number(each.slice(8)))}
                </button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const weekdayName = (tag: string, day: string, weekday: 'long' | 'short' | 'narrow') =>
  new Intl.DateTimeFormat(tag, { weekday, timeZone: 'UTC' }).format(new Date(day))

const fullName = (tag: string, day: string) =>
  new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day))
