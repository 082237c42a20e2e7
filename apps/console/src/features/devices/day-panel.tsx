import type { DeviceDay, GapReason } from '@floorcast/contract/device-day.ts'
import { ActionIcon, Group, Skeleton, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useLanguage, useTranslate, type Translate } from '../../platform/i18n.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useRibbonCanvas } from '../../ui/ribbon/ribbon-canvas.ts'
import { ConnectionPanel } from './connection-panel.tsx'
import { drawDay } from './day-draw.ts'
import { dayAfter, describeMoment, gapsTold, zoneClock } from './day-text.ts'
import { deviceDayQuery } from './devices-data.ts'
import styles from './devices.module.css'
import { HealthPanel, type DeviceOfDay } from './health-panel.tsx'

/** A day of the device, by its own time zone: as scheduled and as played, its connection and its health. */
export function DayPanels({ device }: { device: DeviceOfDay }) {
  const [asked, setAsked] = useState<string>()
  const result = useQuery(deviceDayQuery(device.uid, asked))
  const { t } = useTranslate()
  const { data } = result
  return (
    <>
      <Panel
        title={t('devices:day.title')}
        end={data && <DaySteps day={data} isToday={asked === undefined} show={setAsked} />}
      >
        {data && <DayRibbon day={data} />}
        {!data && result.isError && <ErrorPanel error={result.error} retry={() => void result.refetch()} />}
        {!data && !result.isError && <Skeleton height={176} />}
      </Panel>
      {data && <ConnectionPanel day={data} />}
      {data && <HealthPanel device={device} health={data.health} isToday={asked === undefined} />}
    </>
  )
}

interface DayStepsProps {
  day: DeviceDay
  isToday: boolean
  show: (day: string | undefined) => void
}

/** Leads to the day before and, up to today, to the one after. */
function DaySteps({ day: { day, asOf, until, timeZone }, isToday, show }: DayStepsProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const next = dayAfter(day, 1)
  const isLast = Date.parse(asOf) < Date.parse(until)
  const after = () => show(zoneClock(timeZone).dayAt(Date.parse(asOf)) === next ? undefined : next)
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        {t('devices:day.zone', { day: isToday ? t('devices:day.today') : format.day(day), zone: timeZone })}
      </Text>
      <Group gap={4}>
        <ActionIcon aria-label={t('devices:day.before')} onClick={() => show(dayAfter(day, -1))}>
          <IconChevronLeft size={20} className="fc-points" aria-hidden />
        </ActionIcon>
        <ActionIcon aria-label={t('devices:day.after')} disabled={isLast} onClick={after}>
          <IconChevronRight size={20} className="fc-points" aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  )
}

function DayRibbon({ day }: { day: DeviceDay }) {
  const { t } = useTranslate()
  const format = useFormat()
  const isMirrored = useLanguage().language.dir === 'rtl'
  const viewport = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const clock = useMemo(() => zoneClock(day.timeZone), [day.timeZone])
  const windowSeconds = (Date.parse(day.until) - Date.parse(day.from)) / 1000
  const secondsAt = useRibbonCanvas(
    { viewport, canvas },
    {
      windowSeconds,
      zoom: 1,
      isMirrored,
      draw: (context, frame) => drawDay(context, frame, { day, isMirrored, clock: clock.timeAt }),
    },
  )
  return (
    <>
      <div ref={viewport} className={styles.day} role="img" aria-label={describeDay(t, day)}>
        <canvas
          ref={canvas}
          className={styles.dayRibbon}
          onPointerMove={event => setPointed(Date.parse(day.from) + secondsAt(event.clientX) * 1000)}
          onPointerLeave={() => setPointed(null)}
        />
      </div>
      <Group justify="space-between" gap="xs" mt="xs">
        <Text size="sm" className="fc-figures" aria-hidden>
          {pointed === null ? t('devices:day.rows') : describeMoment(t, { day, at: pointed, clock, format })}
        </Text>
        <Group gap="md">
          {(['music', 'ads', 'gap', 'waiting'] as const).map(kind => (
            <Text key={kind} size="sm" c="dimmed" className={styles.dayKey} data-kind={kind}>
              {t(`devices:day.kinds.${kind}`)}
            </Text>
          ))}
        </Group>
      </Group>
      <Gaps day={day} />
    </>
  )
}

const describeDay = (t: Translate, { gaps }: DeviceDay) =>
  gaps.length === 0 ? t('devices:day.whole') : t('devices:day.gaps', { count: gaps.length })

/** The newest gaps as text, with their reasons. */
function Gaps({ day }: { day: DeviceDay }) {
  const { t } = useTranslate()
  const format = useFormat()
  const clock = zoneClock(day.timeZone)
  const { shown, more } = gapsTold(day.gaps)
  const reasonOf = (because: GapReason) =>
    because === 'off' || because === 'not-reported'
      ? t(`devices:day.reasons.${because}`)
      : t(`activity:silentReasons.${because}`)
  if (shown.length === 0) return null
  return (
    <ul className={styles.gaps} aria-label={t('devices:day.kinds.gap')}>
      {shown.map(({ from, until, because }) => (
        <li key={from}>
          <Text size="sm">
            {t('devices:day.gap', {
              from: clock.timeAt(Date.parse(from)),
              until: clock.timeAt(Date.parse(until)),
              reason: reasonOf(because),
            })}
          </Text>
        </li>
      ))}
      {more > 0 && (
        <li>
          <Text size="sm" c="dimmed">
            {t('devices:day.more', { count: more, shown: format.number(more) })}
          </Text>
        </li>
      )}
    </ul>
  )
}
