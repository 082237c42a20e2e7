import type { PlaylistItem } from '@floorcast/contract/playlists.ts'
import {
  Alert,
  Button,
  Group,
  NumberInput,
  Popover,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core'
import { IconClock, IconRepeat } from '@tabler/icons-react'
import { useRef, useState, type FormEvent } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { fillItemValues, readItemValues, type ItemFault, type ItemValues } from './item-settings.ts'
import { useItemSettingsChange } from './playlist-editor-data.ts'
import styles from './playlist-editor.module.css'
import { countPlays } from './playlist-times.ts'

interface ItemSettingsProps {
  playlist: string
  item: PlaylistItem
  mayEdit: boolean
}

/** How often an item plays and when, in its row; a click changes it. */
export function ItemSettings({ playlist, item, mayEdit }: ItemSettingsProps) {
  const { t } = useWords()
  const [isOpen, open] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  if (!mayEdit) return <ItemPlays item={item} />
  const close = () => {
    open(false)
    target.current?.focus()
  }
  const button = (
    <button
      ref={target}
      type="button"
      data-settings
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      className={styles.chip}
      onClick={() => (isOpen ? close() : open(true))}
    >
      <ItemPlays item={item} />
      <VisuallyHidden>{t('playlists:settingsOf', { name: item.name })}</VisuallyHidden>
    </button>
  )
  return (
    <>
      {button}
      {isOpen && (
        <Popover opened withRoles={false} onDismiss={close} position="bottom-end" trapFocus withinPortal>
          <Popover.Target refProp="ref">
            <span className={styles.anchor} />
          </Popover.Target>
          <Popover.Dropdown
            role="dialog"
            aria-label={t('playlists:settingsOf', { name: item.name })}
            onKeyDown={event => event.stopPropagation()}
          >
            <ItemForm playlist={playlist} item={item} onClose={close} />
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}

function ItemPlays({ item }: { item: PlaylistItem }) {
  const { t } = useWords()
  const format = useFormat()
  const count = countPlays(item)
  const plays = t('playlists:plays', { count })
  const isUsual = count === 1 && item.startTime === null && item.replaySeconds === null
  return (
    <span className={styles.plays} data-usual={isUsual || undefined}>
      {item.startTime !== null && (
        <>
          <IconClock size={16} aria-hidden />
          {t('playlists:at', { time: item.startTime })}
        </>
      )}
      <IconRepeat size={16} aria-hidden />
      {item.replaySeconds === null
        ? plays
        : t('playlists:forTime', { time: format.duration(item.replaySeconds), plays })}
    </span>
  )
}

interface ItemFormProps {
  playlist: string
  item: PlaylistItem
  onClose: () => void
}

function useItemForm({ playlist, item, onClose }: ItemFormProps) {
  const { mutate, isPending, error } = useItemSettingsChange()
  const [values, setValues] = useState(() => fillItemValues(item))
  const [fault, setFault] = useState<ItemFault | null>(null)
  const put = (next: Partial<ItemValues>) => {
    setValues(now => ({ ...now, ...next }))
    setFault(null)
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const wanted = readItemValues(item.uid, values)
    if (typeof wanted === 'string') setFault(wanted)
    else mutate({ uid: playlist, items: [wanted] }, { onSuccess: onClose })
  }
  return { values, put, fault, save, isPending, error }
}

function ItemForm(props: ItemFormProps) {
  const { t } = useWords()
  const { values, put, fault, save, isPending, error } = useItemForm(props)
  return (
    <form noValidate onSubmit={save}>
      <Stack gap="sm" w={260}>
        <Text fw={600}>{t('playlists:howOften')}</Text>
        <SegmentedControl
          fullWidth
          aria-label={t('playlists:howOften')}
          value={values.by}
          onChange={by => put({ by: by === 'time' ? 'time' : 'count' })}
          data={[
            { value: 'count', label: t('playlists:byCount') },
            { value: 'time', label: t('playlists:byTime') },
          ]}
        />
        <HowOften values={values} put={put} fault={fault} />
        <TextInput
          type="time"
          label={t('playlists:startTime')}
          description={t('playlists:startTimeHint')}
          value={values.startTime}
          onChange={event => put({ startTime: event.currentTarget.value })}
          error={fault === 'startTime' && t('fields:time-of-day')}
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
  put: (next: Partial<ItemValues>) => void
  fault: ItemFault | null
}

function HowOften({ values, put, fault }: HowOftenProps) {
  const { t } = useWords()
  if (values.by === 'count') {
    return (
      <NumberInput
        clampBehavior="none"
        label={t('playlists:repeatCount')}
        value={values.count}
        onChange={count => put({ count })}
        min={1}
        max={1000}
        allowDecimal={false}
        error={fault === 'count' && t('playlists:countRule')}
      />
    )
  }
  return (
    <NumberInput
      clampBehavior="none"
      label={t('playlists:replayMinutes')}
      description={t('playlists:replayHint')}
      value={values.minutes}
      onChange={minutes => put({ minutes })}
      min={0.1}
      max={1440}
      decimalScale={1}
      error={fault === 'minutes' && t('playlists:minutesRule')}
    />
  )
}
