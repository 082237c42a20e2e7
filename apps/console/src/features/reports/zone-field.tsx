import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { useMemo } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { findZones, knownZones } from '../../ui/zone-options.ts'
import { LateSelect } from './late-select.tsx'
import { browserZone, isZone } from './report-view.ts'

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
