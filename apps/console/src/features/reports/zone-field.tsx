import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { Select, type OptionsFilter } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { browserZone, isZone } from './report-view.ts'
import { selectProps } from './select-props.ts'

const fold = (text: string) => text.toLowerCase().replaceAll(/[_/]/g, ' ')

/** 'new york' finds America/New_York. */
const findZones: OptionsFilter = ({ options, search }) => {
  const words = fold(search).split(' ')
  return options.filter(
    option => 'label' in option && 'value' in option && words.every(word => matches(option, word)),
  )
}

const matches = ({ label, value }: { label: string; value: string }, word: string) =>
  fold(`${label} ${value}`).includes(word)

/** Chooses whose days and clock a report has: each device's own, the browser's, or any IANA zone. */
export function ZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const { t } = useTranslate()
  const data = useMemo(() => {
    const mine = browserZone()
    const others = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), zone])
    for (const known of [mine, DEVICE_ZONES]) others.delete(known)
    return [
      { value: DEVICE_ZONES, label: t('reports:deviceZones') },
      { value: mine, label: t('reports:screen.myZone', { zone: mine }) },
      ...[...others].map(value => ({ value, label: value })),
    ]
  }, [t, zone])
  return (
    <Select
      label={t('reports:zone')}
      searchable
      {...selectProps}
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
