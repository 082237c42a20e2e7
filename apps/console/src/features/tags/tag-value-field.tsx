import { STORE_ZONES } from '@floorcast/contract/tags.ts'
import { Input, Select, Slider, TextInput, type ComboboxProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { findZones, knownZones } from '../../ui/zone-options.ts'

/** The properties that a form gives for a text: value, error and change. */
interface TextField {
  value?: string
  error?: ReactNode
  onChange: (value: string) => void
}

interface TagValueFieldProps {
  tagKey: string
  /** The first field of the form, which has the focus. */
  isFirst: boolean
  field: TextField
}

const inForm: ComboboxProps = { withinPortal: false }

/** The value of a tag, with the input that fits its key: a slider, a time, a time zone, a choice, or text. */
export function TagValueField({ tagKey, isFirst, field }: TagValueFieldProps) {
  const { t } = useTranslate()
  const focus = isFirst ? { 'data-autofocus': true } : {}
  const value = field.value ?? ''
  const label = t('tags:value')
  if (tagKey === 'volume') return <VolumeSlider label={label} field={field} />
  if (tagKey === 'timeZone')
    return (
      <Select
        label={label}
        required
        searchable
        comboboxProps={inForm}
        filter={findZones}
        maxDropdownHeight={280}
        nothingFoundMessage={t('list:nothingFound')}
        data={[...new Set([...(value === '' ? [] : [value]), ...knownZones()])]}
        value={value === '' ? null : value}
        error={field.error}
        onChange={zone => field.onChange(zone ?? '')}
        {...focus}
      />
    )
  if (tagKey === 'zone')
    return (
      <Select
        label={label}
        required
        comboboxProps={inForm}
        data={STORE_ZONES.map(zone => ({ value: zone, label: t(`tags:storeZones.${zone}`) }))}
        value={value === '' ? null : value}
        error={field.error}
        onChange={zone => field.onChange(zone ?? '')}
        {...focus}
      />
    )
  const isTime = tagKey === 'openingTime' || tagKey === 'closingTime'
  const isPlace = tagKey === 'latitude' || tagKey === 'longitude'
  return (
    <TextInput
      label={label}
      required
      autoComplete="off"
      type={isTime ? 'time' : 'text'}
      {...(isPlace ? { inputMode: 'decimal', dir: 'ltr' } : {})}
      {...(tagKey === 'audience' ? { description: t('tags:audienceHint') } : {})}
      value={value}
      error={field.error}
      onChange={event => field.onChange(event.currentTarget.value)}
      {...focus}
    />
  )
}

function VolumeSlider({ label, field }: { label: string; field: TextField }) {
  const { t } = useTranslate()
  const format = useFormat()
  const value = Number(field.value ?? 0)
  return (
    <Input.Wrapper label={label} error={field.error} description={t('tags:volumeHint')} labelElement="div">
      <Slider
        mt="xs"
        mb="lg"
        min={0}
        max={100}
        value={value}
        thumbLabel={label}
        mx="xs"
        marks={[0, 50, 100].map(mark => ({ value: mark, label: format.percent(mark / 100) }))}
        onChange={volume => field.onChange(String(volume))}
      />
    </Input.Wrapper>
  )
}
