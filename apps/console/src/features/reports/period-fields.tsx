import { daysBetween, MAX_REPORT_DAYS, DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { useMemo } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { DateField } from '../../ui/dates/date-field.tsx'
import { isDay } from '../../ui/dates/typed-day.ts'
import { findZones, knownZones } from '../../ui/zone-options.ts'
import { LateSelect } from './late-select.tsx'
import { checkPeriod, findPreset, periodPresets, presetPeriod, type Period } from './report-period.ts'
import { browserZone, isZone } from './report-view.ts'

interface PeriodFieldsProps {
  period: Period
  /** In the report's zone. */
  today: string
  onChange: (period: Period) => void
}

/** Chooses the days of a report: a preset, or two days of the user's own. */
export function PeriodFields({ period, today, onChange }: PeriodFieldsProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const preset = findPreset(period, today)
  const error = checkPeriod(period)
  return (
    <>
      <LateSelect
        label={t('reports:period')}
        value={preset ?? 'custom'}
        data={[
          ...periodPresets.map(value => ({ value, label: t(`reports:screen.presets.${value}`) })),
          { value: 'custom', label: t('reports:screen.presets.custom'), disabled: true },
        ]}
        onChange={value => {
          const chosen = periodPresets.find(name => name === value)
          if (chosen) onChange(presetPeriod(chosen, today))
        }}
      />
      {(['from', 'to'] as const).map(end => (
        <DateField
          key={end}
          label={t(`reports:screen.${end}`)}
          value={period[end]}
          required
          withAsterisk={false}
          error={
            end === 'to' && error !== null
              ? t(`reports:screen.periodErrors.${error}`, {
                  count: daysBetween(period.from, period.to),
                  limit: format.number(MAX_REPORT_DAYS),
                })
              : undefined
          }
          onChange={day => onChange({ ...period, [end]: isDay(day) ? day : '' })}
        />
      ))}
    </>
  )
}

/** Chooses whose days and clock a report has: each device's own, the browser's, or any IANA zone. */
export function ZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const { t } = useTranslate()
  const data = useMemo(() => {
    const mine = browserZone()
    const others = new Set([...knownZones(), zone])
    for (const known of [mine, DEVICE_ZONES]) others.delete(known)
    return [
      { value: DEVICE_ZONES, label: t('reports:deviceZones') },
      { value: mine, label: t('reports:screen.myZone', { zone: mine }) },
      ...[...others].map(value => ({ value, label: value })),
    ]
  }, [t, zone])
  return (
    <LateSelect
      label={t('reports:zone')}
      searchable
      filter={findZones}
      nothingFoundMessage={t('list:nothingFound')}
      value={zone}
      data={data}
      error={isZone(zone) ? undefined : t('reports:screen.wrongZone')}
      onChange={value => {
        if (value !== null) onChange(value)
      }}
    />
  )
}
