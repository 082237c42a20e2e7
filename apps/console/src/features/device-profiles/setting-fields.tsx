import { listMedia, type MediaRow } from '@floorcast/contract/media.ts'
import {
  Checkbox,
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
  type ComboboxProps,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../platform/client.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { TimeField } from '../../ui/dates/time-field.tsx'
import { SearchSelect } from '../../ui/search-select.tsx'
import { soundQuery } from './profiles-data.ts'
import { describeSetting, nameSetting } from './setting-words.ts'
import type { Setting } from './setting-schema.ts'

/** The settings that a profile sets; one that is absent is left to other profiles and the defaults. */
export type SettingValues = Readonly<Record<string, unknown>>

interface SettingFieldsProps {
  settings: readonly Setting[]
  values: SettingValues
  /** The message at a setting. */
  errorOf: (name: string) => ReactNode
  onChange: (values: SettingValues) => void
}

/** One field for each setting of the profile's type. An empty field sets nothing. */
export function SettingFields({ settings, values, errorOf, onChange }: SettingFieldsProps) {
  const set = (name: string, value: unknown) => {
    const { [name]: _former, ...others } = values
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  return (
    <Stack gap="md">
      {settings.map(setting => (
        <SettingField
          key={setting.name}
          setting={setting}
          value={values[setting.name]}
          error={errorOf(setting.name)}
          onChange={value => set(setting.name, value)}
        />
      ))}
    </Stack>
  )
}

interface FieldProps {
  setting: Setting
  /** undefined: not set. */
  value: unknown
  error: ReactNode
  onChange: (value: unknown) => void
}

const inForm: ComboboxProps = { withinPortal: false }

function SettingField(props: FieldProps) {
  const { setting, value, error, onChange } = props
  const { t } = useTranslate()
  const { name, input } = setting
  const field = { label: nameSetting(t, name), description: describeSetting(t, setting), error }
  switch (input.kind) {
    case 'number':
      return <NumberField {...props} input={input} field={field} />
    case 'switch':
      return <SwitchField {...props} field={field} />
    case 'sound':
      return <SoundField {...props} label={field.label} />
    case 'choice':
      return (
        <Select
          {...field}
          clearable
          comboboxProps={inForm}
          placeholder={t('profiles:notSet')}
          data={input.values.map(each => ({ value: String(each), label: nameChoice(t, name, each) }))}
          value={typeof value === 'number' || typeof value === 'string' ? String(value) : null}
          onChange={text => onChange(input.values.find(each => String(each) === text))}
        />
      )
    case 'time':
      return (
        <TimeField
          {...field}
          value={typeof value === 'string' ? value : ''}
          onChange={time => onChange(time || undefined)}
        />
      )
    case 'text':
      return (
        <TextInput
          {...field}
          autoComplete="off"
          value={typeof value === 'string' ? value : ''}
          onChange={event => onChange(event.currentTarget.value || undefined)}
        />
      )
  }
}

interface TextsOfField {
  label: string
  description: string | null
  error: ReactNode
}

const nameChoice = (t: Translate, name: string, value: number | string) =>
  name === 'rotation' ? t('profiles:degrees', { degrees: value }) : String(value)

type NumberInputOf = Extract<Setting['input'], { kind: 'number' }>

function NumberField({
  value,
  onChange,
  input,
  field,
}: FieldProps & { input: NumberInputOf; field: TextsOfField }) {
  const { t } = useTranslate()
  const isNull = value === null
  return (
    <Stack gap="xs">
      <NumberInput
        {...field}
        {...(input.min === null ? {} : { min: input.min })}
        {...(input.max === null ? {} : { max: input.max })}
        allowDecimal={!input.isWhole}
        clampBehavior="none"
        placeholder={t('profiles:notSet')}
        disabled={isNull}
        value={typeof value === 'number' ? value : ''}
        onChange={next => onChange(typeof next === 'number' ? next : undefined)}
      />
      {input.mayBeNull && (
        <Checkbox
          label={t('profiles:unchanged')}
          checked={isNull}
          onChange={event => onChange(event.currentTarget.checked ? null : undefined)}
        />
      )}
    </Stack>
  )
}

function SwitchField({ value, onChange, field }: FieldProps & { field: TextsOfField }) {
  const { t } = useTranslate()
  const { label, description, error } = field
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <SegmentedControl
        mt={4}
        aria-label={label}
        data={[
          { value: '', label: t('profiles:notSet') },
          { value: 'true', label: t('profiles:on') },
          { value: 'false', label: t('profiles:off') },
        ]}
        value={typeof value === 'boolean' ? String(value) : ''}
        onChange={next => onChange(next === '' ? undefined : next === 'true')}
      />
    </Input.Wrapper>
  )
}

/** A melody or ad that plays instead of the siren. */
function SoundField({ value, error, onChange, label }: FieldProps & { label: string }) {
  const { t } = useTranslate()
  const uid = typeof value === 'string' ? value : null
  const { data: chosen } = useQuery({ ...soundQuery(uid ?? ''), enabled: uid !== null })
  return (
    <SearchSelect<Pick<MediaRow, 'uid' | 'name'>>
      label={label}
      placeholder={t('profiles:siren')}
      error={error}
      value={uid}
      chosen={chosen ?? undefined}
      labelOf={({ name }) => name}
      find={findSounds}
      findKey={search => queryKeys.profiles.sounds(search)}
      nothingFound={t('list:nothingFound')}
      onChange={next => onChange(next ?? undefined)}
    />
  )
}

async function findSounds(search: string, signal: AbortSignal) {
  const query = { search, size: 20, sort: 'name' } as const
  const [ads, melodies] = await Promise.all(
    (['ads', 'melodies'] as const).map(contentType =>
      call(listMedia, { params: { contentType }, query, signal }),
    ),
  )
  return {
    items: [...(ads?.items ?? []), ...(melodies?.items ?? [])],
    total: (ads?.total ?? 0) + (melodies?.total ?? 0),
  }
}
