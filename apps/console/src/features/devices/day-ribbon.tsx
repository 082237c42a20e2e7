import type { DeviceDay } from '@floorcast/contract/device-day.ts'
import { Group, Text } from '@mantine/core'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useLanguage, useTranslate, type Translate } from '../../platform/i18n.ts'
import { useRibbonCanvas } from '../../ui/ribbon/ribbon-canvas.ts'
import { stepOfKey } from '../../ui/ribbon/ribbon-keys.ts'
import { drawDay } from './day-draw.ts'
import { describeMoment, zoneClock } from './day-text.ts'
import styles from './devices.module.css'

const minuteMs = 60_000

/** Minutes of the keys; with Shift, arrows and page keys go minute by minute. Undefined: the key is not the ribbon's. */
const minutesOfKey = ({ key, shiftKey }: KeyboardEvent, isMirrored: boolean) =>
  stepOfKey(key, { step: shiftKey ? 1 : 5, page: shiftKey ? 1 : 60, isMirrored })

/** The minute of the day that the keys have come to; at first the present one, or the first of another day. */
function useCursor({ from, until, asOf }: DeviceDay, isMirrored: boolean) {
  const last = Math.ceil((Date.parse(until) - Date.parse(from)) / minuteMs) - 1
  const now = Math.floor((Date.parse(asOf) - Date.parse(from)) / minuteMs)
  const [chosen, setChosen] = useState<number | null>(null)
  const minute = Math.min(last, chosen ?? (now > last ? 0 : now))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = minutesOfKey(event, isMirrored)
    if (step === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(last, minute + step)))
  }
  return { minute, last, at: Date.parse(from) + minute * minuteMs, onKeyDown }
}

/** The day as scheduled and as played with its connection. Pointer and keys tell what was scheduled and played at a moment. */
export function DayRibbon({ day }: { day: DeviceDay }) {
  const { t } = useTranslate()
  const format = useFormat()
  const isMirrored = useLanguage().language.dir === 'rtl'
  const viewport = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const [isFocused, setIsFocused] = useState(false)
  const cursor = useCursor(day, isMirrored)
  const clock = useMemo(() => zoneClock(day.timeZone), [day.timeZone])
  const windowSeconds = (Date.parse(day.until) - Date.parse(day.from)) / 1000
  const drawn = { day, isMirrored, clock: clock.timeAt, cursor: isFocused ? cursor.at : null }
  const secondsAt = useRibbonCanvas(
    { viewport, canvas },
    { windowSeconds, zoom: 1, isMirrored, draw: (context, frame) => drawDay(context, frame, drawn) },
  )
  const describe = (at: number) => describeMoment(t, { day, at, clock, format })
  const shown = pointed ?? drawn.cursor
  return (
    <>
      <div
        ref={viewport}
        className={styles.day}
        role="slider"
        tabIndex={0}
        aria-label={describeDay(t, day)}
        aria-valuemin={0}
        aria-valuemax={cursor.last}
        aria-valuenow={cursor.minute}
        aria-valuetext={describe(cursor.at)}
        onKeyDown={cursor.onKeyDown}
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
      >
        <canvas
          ref={canvas}
          className={styles.dayRibbon}
          onPointerMove={event => setPointed(Date.parse(day.from) + secondsAt(event.clientX) * 1000)}
          onPointerLeave={() => setPointed(null)}
        />
      </div>
      <DayKey text={shown === null ? t('devices:day.rows') : describe(shown)} />
    </>
  )
}

const describeDay = (t: Translate, { gaps }: DeviceDay) =>
  gaps.length === 0 ? t('devices:day.whole') : t('devices:day.gaps', { count: gaps.length })

/** The moment that is shown, and what the colors mean. A screen reader has the moment as the ribbon's value. */
function DayKey({ text }: { text: string }) {
  const { t } = useTranslate()
  return (
    <Group justify="space-between" gap="xs" mt="xs">
      <Text size="sm" className="fc-figures" aria-hidden>
        {text}
      </Text>
      <Group gap="md">
        {(['music', 'ads', 'gap', 'waiting'] as const).map(kind => (
          <Text key={kind} size="sm" c="dimmed" className={styles.dayKey} data-kind={kind}>
            {t(`devices:day.kinds.${kind}`)}
          </Text>
        ))}
      </Group>
    </Group>
  )
}
