import type { DeviceDay } from '@floorcast/contract/device-day.ts'
import { ActionIcon, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PanelSkeletons } from '../../ui/panel-skeletons.tsx'
import { RestoredMark } from '../../ui/restored/restored-mark.tsx'
import { ConnectionPanel } from './connection-panel.tsx'
import { DayRibbon } from './day-ribbon.tsx'
import { dayAfter, describeReason, gapsTold, zoneClock } from './day-text.ts'
import { deviceDayQuery } from './devices-data.ts'
import styles from './devices.module.css'
import { HealthPanel, type DeviceOfDay } from './health-panel.tsx'

const wholeDayHeight = { base: 193, sm: 131 }
/** With a gap and its reason. */
const brokenDayHeight = { base: 236, sm: 175 }
const connectionHeight = { base: 132, sm: 128 }
const healthHeight = { base: 283, sm: 116 }
/** A sentence. */
const noHealthHeight = { base: 66, sm: 66 }

/**
 * Hold the places of the day's panels: a device that plays has most likely no gap, and one that was never connected has no list of
 * connections.
 */
export function DaySkeletons({ device }: { device: DeviceOfDay }) {
  const { t } = useTranslate()
  return (
    <>
      <Panel title={t('devices:day.title')}>
        <Skeleton h={device.activity === 'playing' ? wholeDayHeight : brokenDayHeight} aria-busy />
      </Panel>
      <PanelSkeletons
        heights={device.lastContactAt === null ? [noHealthHeight] : [connectionHeight, healthHeight]}
      />
    </>
  )
}

/** A day of the device, by its own time zone: as scheduled and as played, its connection and its health. */
export function DayPanels({ device }: { device: DeviceOfDay }) {
  const [asked, setAsked] = useState<string>()
  const result = useQuery(deviceDayQuery(device.uid, asked))
  const { t } = useTranslate()
  const { data } = result
  if (!data && !result.isError) return <DaySkeletons device={device} />
  return (
    <>
      <Panel
        title={t('devices:day.title')}
        end={data && <DaySteps day={data} isToday={asked === undefined} show={setAsked} />}
      >
        {data && <DayRibbon day={data} />}
        {data?.restored && (
          <Group mt="xs">
            <RestoredMark restored={data.restored} />
          </Group>
        )}
        {data && <Gaps key={data.day} day={data} />}
        {!data && <ErrorPanel error={result.error} retry={() => void result.refetch()} />}
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

/** The newest gaps as text with their reasons; all of them on demand. */
function Gaps({ day }: { day: DeviceDay }) {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useId()
  const [isWhole, setIsWhole] = useState(false)
  const clock = zoneClock(day.timeZone)
  const { shown, more } = gapsTold(day.gaps, isWhole)
  if (shown.length === 0) return null
  return (
    <>
      <ul id={list} className={styles.gaps} aria-label={t('devices:day.kinds.gap')}>
        {shown.map(({ from, until, because }) => (
          <li key={from}>
            <Text size="sm">
              {t('devices:day.gap', {
                from: clock.timeAt(Date.parse(from)),
                until: clock.timeAt(Date.parse(until)),
                reason: describeReason(t, because),
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
      {(more > 0 || isWhole) && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isWhole}
          aria-controls={list}
          onClick={() => setIsWhole(!isWhole)}
        >
          {t(isWhole ? 'devices:day.showNewest' : 'devices:day.showAll')}
        </Button>
      )}
    </>
  )
}
