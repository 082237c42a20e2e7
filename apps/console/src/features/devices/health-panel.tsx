import type { HealthPoint } from '@floorcast/contract/device-day.ts'
import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { Progress, Stack, Text } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { type Translate, useTranslate } from '../../platform/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import styles from './devices.module.css'

/** The parts of a device that its day shows. */
export type DeviceOfDay = Pick<
  DeviceCard,
  'uid' | 'activity' | 'memorySizeBytes' | 'freeMemoryBytes' | 'lastContactAt'
>

interface HealthPanelProps {
  device: DeviceOfDay
  health: readonly HealthPoint[]
  isToday: boolean
}

/** The health of 24 hours by quarters of an hour, and the storage. */
export function HealthPanel({ device, health, isToday }: HealthPanelProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const measures = [
    {
      key: 'heartbeats',
      values: health.map(({ heartbeats }) => heartbeats),
      format: (value: number) => format.number(value),
    },
    {
      key: 'temperature',
      values: health.flatMap(({ temperatureCelsius }) => temperatureCelsius ?? []),
      format: (value: number) => format.temperature(value),
    },
  ] as const
  return (
    <Panel title={t(isToday ? 'devices:health.title' : 'devices:health.titleOfDay')}>
      {health.length === 0 ? (
        <Text c="dimmed">{t('devices:health.none')}</Text>
      ) : (
        <div className={styles.health}>
          {measures.map(({ key, values, format: show }) =>
            values.length === 0 ? null : (
              <div key={key}>
                <Text size="xs" c="dimmed">
                  {t(`devices:health.${key}`)}
                </Text>
                <Sparkline
                  values={values}
                  label={t('devices:health.range', {
                    name: t(`devices:health.${key}`),
                    min: show(Math.min(...values)),
                    max: show(Math.max(...values)),
                  })}
                />
                <Text size="sm" className="fc-figures">
                  {describeRange(t, show(Math.min(...values)), show(Math.max(...values)))}
                </Text>
              </div>
            ),
          )}
          <Storage device={device} />
        </div>
      )}
    </Panel>
  )
}

const describeRange = (t: Translate, min: string, max: string) =>
  min === max ? min : t('devices:health.minMax', { min, max })

const NEARLY_FULL = 0.9

function Storage({ device: { memorySizeBytes: size, freeMemoryBytes: free } }: { device: DeviceOfDay }) {
  const { t } = useTranslate()
  const format = useFormat()
  if (size === null || free === null || size === 0) return null
  const used = Math.max(0, size - free) / size
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        {t('devices:health.storage')}
      </Text>
      <Progress
        value={used * 100}
        size={8}
        my={10}
        color={used >= NEARLY_FULL ? 'amber' : 'gray'}
        aria-label={t('devices:health.storage')}
      />
      <Text size="sm" className="fc-figures">
        {t('devices:health.free', { free: format.size(free), size: format.size(size) })}
      </Text>
    </Stack>
  )
}
