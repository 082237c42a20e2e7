import { Name } from '@floorcast/contract/fields.ts'
import { SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, type Ref } from 'react'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import type { PublishDevices } from '../../platform/publish-address.ts'
import { checkBy } from '../../ui/side-form/field-rules.ts'
import { publicationQueries } from './publication-data.ts'
import { fittingGroups, type Pick } from './publication-picks.ts'
import { PublishDevicesField } from './publish-devices.tsx'
import type { PublishValues } from './publish-draft.ts'
import { StartFields } from './start-fields.tsx'
import { z } from 'zod'

/** The options belong to the sheet: outside of it they would be outside of every landmark. */
const inSheet = { withinPortal: false }

interface FieldsProps {
  values: PublishValues
  change: (some: Partial<PublishValues>) => void
  chosen: PublishDevices | null
  fault: 'wrong' | 'past' | null
}

const named = z.object({ name: Name })

/** What is wrong with a name that has been typed. */
const faultOfName = (t: Translate, name: string | null): string | undefined =>
  name === null || name === '' ? undefined : checkBy(t, named)({ name })['name']

export function PublishFields({ values, change, chosen, fault }: FieldsProps) {
  const { t } = useTranslate()
  const playlists = useQuery(publicationQueries.playlists())
  const playlist = playlists.data?.find(({ uid }) => uid === values.playlistUid)
  const groupField = useRef<HTMLInputElement>(null)
  const choosePlaylist = (playlistUid: string | null) => {
    change({ playlistUid })
    // What is asked next; its options open with the focus.
    if (playlistUid !== null && values.groupUid === null) groupField.current?.focus()
  }
  return (
    <>
      <Select
        label={t('publications:playlist')}
        placeholder={t('publications:choosePlaylist')}
        required
        searchable
        data-autofocus={values.playlistUid === null || undefined}
        comboboxProps={inSheet}
        data={options(t, playlists.data ?? [])}
        nothingFoundMessage={playlists.isPending ? t('loading') : t('publications:noPlaylist')}
        value={values.playlistUid}
        onChange={choosePlaylist}
      />
      <TargetFields {...{ values, change, chosen, playlist, groupField }} />
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
  playlist,
  groupField,
}: Omit<FieldsProps, 'fault'> & { playlist: Pick | undefined; groupField: Ref<HTMLInputElement> }) {
  const { t } = useTranslate()
  const groups = useQuery(publicationQueries.groups())
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
        <Select
          ref={groupField}
          label={t('publications:group')}
          placeholder={t('publications:chooseGroup')}
          required
          searchable
          comboboxProps={inSheet}
          data={options(t, fittingGroups(groups.data ?? [], playlist?.kind))}
          nothingFoundMessage={groups.isPending ? t('loading') : t('publish:noGroup')}
          value={values.groupUid}
          onChange={groupUid => change({ groupUid })}
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
              kind={playlist?.kind === 'video' ? 'video' : 'all'}
              devices={values.devices}
              onChange={devices => change({ devices })}
            />
          )}
        </>
      )}
    </Stack>
  )
}

const options = (t: Translate, picks: readonly Pick[]) =>
  picks.map(({ uid, name, kind, state }) => ({
    value: uid,
    label: `${name} · ${t(`kinds.${kind}`)} · ${t(`states.${state}`)}`,
  }))
