import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { TimeOfDay } from '@floorcast/contract/fields.ts'
import type { PlaylistItem, editPlaylist } from '@floorcast/contract/playlists.ts'
import { Alert, Button, Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { TimeField } from '../../ui/dates/time-field.tsx'
import { useItemSettingsChange } from './playlist-editor-data.ts'

/** Values of the fields. */
interface ItemValues {
  by: 'count' | 'time'
  count: number | string
  minutes: number | string
  /** HH:MM; empty for an item of the loop. */
  startTime: string
}

type ItemSettings = NonNullable<BodyOf<typeof editPlaylist>['items']>[number]

/** A field with an invalid value, by the server's limits. */
type InvalidField = 'count' | 'minutes' | 'startTime'

function toItemValues(item: PlaylistItem): ItemValues {
  const { repeatCount, replaySeconds, startTime, durationSeconds } = item
  return {
    by: replaySeconds === null ? 'count' : 'time',
    count: repeatCount ?? 1,
    minutes: Math.round((replaySeconds ?? Math.max(60, durationSeconds)) / 6) / 10,
    startTime: startTime ?? '',
  }
}

/** The settings to save, or the field with an invalid value. */
function parseItemValues(uid: string, values: ItemValues): ItemSettings | InvalidField {
  const startTime = values.startTime === '' ? null : values.startTime
  if (startTime !== null && !TimeOfDay.safeParse(startTime).success) return 'startTime'
  if (values.by === 'count') {
    const repeatCount = Number(values.count)
    const isWhole = Number.isInteger(repeatCount) && repeatCount >= 1 && repeatCount <= 1000
    return isWhole ? { uid, repeatCount, replaySeconds: null, startTime } : 'count'
  }
  const replaySeconds = Math.round(Number(values.minutes) * 60)
  const isDay = replaySeconds > 0 && replaySeconds <= 86_400
  return isDay ? { uid, repeatCount: null, replaySeconds, startTime } : 'minutes'
}

interface ItemFormProps {
  playlist: string
  item: PlaylistItem
  onClose: () => void
}

function useItemForm({ playlist, item, onClose }: ItemFormProps) {
  const { mutate, isPending, error } = useItemSettingsChange()
  const [values, setValues] = useState(() => toItemValues(item))
  const [invalid, setInvalid] = useState<InvalidField | null>(null)
  const update = (next: Partial<ItemValues>) => {
    setValues(now => ({ ...now, ...next }))
    setInvalid(null)
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const settings = parseItemValues(item.uid, values)
    if (typeof settings === 'string') return setInvalid(settings)
    const onSuccess = (_: unknown, isShown: boolean) => {
      if (isShown) onClose()
    }
    mutate({ uid: playlist, items: [settings] }, { onSuccess })
  }
  return { values, update, invalid, save, isPending, error }
}

/** Changes how often and when an item plays. */
export function ItemForm(props: ItemFormProps) {
  const { t } = useTranslate()
  const { values, update, invalid, save, isPending, error } = useItemForm(props)
  return (
    <form noValidate onSubmit={save}>
      <Stack gap="sm" w={260}>
        <Text fw={600}>{t('playlists:howOften')}</Text>
        <SegmentedControl
          fullWidth
          aria-label={t('playlists:howOften')}
          value={values.by}
          onChange={by => update({ by: by === 'time' ? 'time' : 'count' })}
          data={[
            { value: 'count', label: t('playlists:byCount') },
            { value: 'time', label: t('playlists:byTime') },
          ]}
        />
        <HowOften values={values} update={update} invalid={invalid} />
        <TimeField
          label={t('playlists:startTime')}
          description={t('playlists:startTimeHint')}
          value={values.startTime}
          onChange={startTime => update({ startTime })}
          error={invalid === 'startTime' && t('fields:time-of-day')}
        />
        {error && (
          <Alert color="red" role="alert">
            {describeFailure(t, error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface HowOftenProps {
  values: ItemValues
  update: (next: Partial<ItemValues>) => void
  invalid: InvalidField | null
}

function HowOften({ values, update, invalid }: HowOftenProps) {
  const { t } = useTranslate()
  if (values.by === 'count') {
    return (
      <NumberInput
        clampBehavior="none"
        label={t('playlists:repeatCount')}
        value={values.count}
        onChange={count => update({ count })}
        min={1}
        max={1000}
        allowDecimal={false}
        error={invalid === 'count' && t('playlists:countRule')}
      />
    )
  }
  return (
    <NumberInput
      clampBehavior="none"
      label={t('playlists:replayMinutes')}
      description={t('playlists:replayHint')}
      value={values.minutes}
      onChange={minutes => update({ minutes })}
      min={0.1}
      max={1440}
      decimalScale={1}
      error={invalid === 'minutes' && t('playlists:minutesRule')}
    />
  )
}
