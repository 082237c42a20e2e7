import { Name, type Kind, type KindFilter } from '@floorcast/contract/fields.ts'
import { SegmentedControl, Stack, Text, TextInput, MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef, type Ref, useState } from 'react'
import { z } from 'zod'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import type { PublishDevices } from '../../platform/publish-address.ts'
import { checkBy } from '../../ui/side-form/field-rules.ts'
import { GroupChoice, PlaylistChoice } from './publication-choices.tsx'
import { publicationQueries } from './publications-data.ts'
import { freeDevicesQuery } from './publish-data.ts'
import type { PublishValues } from './publish-draft.ts'
import { StartFields } from './start-fields.tsx'

interface FieldsProps {
  values: PublishValues
  change: (some: Partial<PublishValues>) => void
  chosen: PublishDevices | null
  fault: 'wrong' | 'past' | null
}

const named = z.object({ name: Name })

/** The fault of a typed name. */
const faultOfName = (t: Translate, name: string | null): string | undefined =>
  name === null || name === '' ? undefined : checkBy(t, named)({ name })['name']

export function PublishFields({ values, change, chosen, fault }: FieldsProps) {
  const { t } = useTranslate()
  const { data: playlist } = useQuery(publicationQueries.playlist(values.playlistUid))
  const groupField = useRef<HTMLInputElement>(null)
  const choosePlaylist = (uid: string) => {
    change({ playlistUid: uid || null })
    // The next question; its options open with the focus.
    if (uid && values.groupUid === null) groupField.current?.focus()
  }
  return (
    <>
      <PlaylistChoice
        data-autofocus={values.playlistUid === null || undefined}
        value={values.playlistUid}
        onChange={choosePlaylist}
      />
      <TargetFields {...{ values, change, chosen, groupField }} playlistKind={playlist?.kind} />
      <Stack gap="xs">
        <SegmentedControl
          fullWidth
          aria-label={t('publish:when')}
          data={[
            { value: 'now', label: t('publish:whens.now') },
            { value: 'later', label: t('publish:whens.later') },
          ]}
          value={values.isLater ? 'later' : 'now'}
          onChange={when => change({ isLater: when === 'later' })}
        />
        {values.isLater && (
          <StartFields values={values.start} onChange={start => change({ start })} fault={fault} />
        )}
      </Stack>
      <TextInput
        label={t('publish:name')}
        autoComplete="off"
        value={values.name ?? playlist?.name ?? ''}
        onChange={event => change({ name: event.currentTarget.value })}
        error={values.name === '' ? t('fields:empty') : faultOfName(t, values.name)}
      />
    </>
  )
}

/** The devices that get it: those of a group, or of a new one. */
function TargetFields({
  values,
  change,
  chosen,
  playlistKind,
  groupField,
}: Omit<FieldsProps, 'fault'> & {
  playlistKind: Kind | undefined
  groupField: Ref<HTMLInputElement>
}) {
  const { t } = useTranslate()
  return (
    <Stack gap="xs">
      {chosen ? (
        <Text>{t('publish:chosen', { count: chosen.count })}</Text>
      ) : (
        <SegmentedControl
          fullWidth
          aria-label={t('publish:target')}
          data={[
            { value: 'group', label: t('publish:targets.group') },
            { value: 'new', label: t('publish:targets.new') },
          ]}
          value={values.target}
          onChange={target => change({ target: target === 'new' ? 'new' : 'group' })}
        />
      )}
      {values.target === 'group' ? (
        <GroupChoice
          ref={groupField}
          playlistKind={playlistKind}
          nothingFound={t('publish:noGroup')}
          value={values.groupUid}
          onChange={uid => change({ groupUid: uid || null })}
        />
      ) : (
        <>
          <TextInput
            label={t('publish:groupName')}
            required
            autoComplete="off"
            value={values.groupName}
            onChange={event => change({ groupName: event.currentTarget.value })}
            error={faultOfName(t, values.groupName)}
          />
          {!chosen && (
            <PublishDevicesField
              kind={playlistKind === 'video' ? 'video' : 'all'}
              devices={values.devices}
              onChange={devices => change({ devices })}
            />
          )}
        </>
      )}
    </Stack>
  )
}

interface Device {
  uid: string
  name: string
}

interface PublishDevicesProps {
  kind: KindFilter
  devices: readonly Device[]
  onChange: (devices: Device[]) => void
}

/** Chooses devices that are in no group. The server searches. */
function PublishDevicesField({ kind, devices, onChange }: PublishDevicesProps) {
  const { t } = useTranslate()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const { data, isPending, isError } = useQuery(freeDevicesQuery(kind, search))
  const known = new Map([...devices, ...(data?.items ?? [])].map(({ uid, name }) => [uid, name]))
  const choose = (uids: string[]) => onChange(uids.map(uid => ({ uid, name: known.get(uid) ?? '' })))
  return (
    <MultiSelect
      label={t('publish:devices')}
      description={t('publish:devicesHint')}
      placeholder={t('publish:findDevice')}
      required
      searchable
      hidePickedOptions
      comboboxProps={{ withinPortal: false }}
      data={[...known].map(([value, label]) => ({ value, label }))}
      // The server has searched.
      filter={({ options }) => options}
      maxDropdownHeight={240}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={isPending ? t('loading') : t(isError ? 'failedTitle' : 'publish:noFreeDevice')}
      value={devices.map(({ uid }) => uid)}
      onChange={choose}
    />
  )
}
