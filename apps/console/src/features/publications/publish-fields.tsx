import { Name, type Kind } from '@floorcast/contract/fields.ts'
import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, type Ref } from 'react'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import type { PublishDevices } from '../../platform/publish-address.ts'
import { checkBy } from '../../ui/side-form/field-rules.ts'
import { GroupChoice, PlaylistChoice } from './publication-choices.tsx'
import { publicationQueries } from './publications-data.ts'
import { PublishDevicesField } from './publish-devices.tsx'
import type { PublishValues } from './publish-draft.ts'
import { StartFields } from './start-fields.tsx'
import { z } from 'zod'

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
  const { data: playlist } = useQuery(publicationQueries.playlist(values.playlistUid))
  const groupField = useRef<HTMLInputElement>(null)
  const choosePlaylist = (uid: string) => {
    change({ playlistUid: uid || null })
    // What is asked next; its options open with the focus.
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
