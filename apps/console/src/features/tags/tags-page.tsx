import { Uid } from '@floorcast/contract/fields.ts'
import type { TagLevel } from '@floorcast/contract/tag-calls.ts'
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconTags, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { listDevices } from '@floorcast/contract/devices.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useMayChange } from '../../platform/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SearchSelect } from '../../ui/search-select.tsx'
import { DeviceTags } from './device-tags.tsx'
import { TagImportDialog } from './tag-dialogs.ts'
import { TagList } from './tag-list.tsx'
import { ownerQuery, type ChosenOwner, type TagOwner } from './tags-data.ts'

const levels = ['client', 'group', 'device'] as const

/** The owner that the address names; the client without one. */
function readOwner(address: URLSearchParams): TagOwner {
  for (const level of ['device', 'group'] as const) {
    const named = address.get(level)
    if (named !== null) return { level, uid: Uid.safeParse(named).data ?? null }
  }
  return { level: 'client', uid: 'own' }
}

const isChosen = (owner: TagOwner): owner is TagOwner & ChosenOwner => owner.uid !== null

/** The tags of the client, of a group or of a device: /security/tags. */
export function TagsPage() {
  const { t } = useTranslate()
  const [address, setAddress] = useSearchParams()
  const owner = readOwner(address)
  const [isImporting, setIsImporting] = useState(false)
  const mayChange = useMayChange()
  const show = (level: TagLevel, uid = '') =>
    setAddress(level === 'client' ? {} : { [level]: uid }, { preventScrollReset: true })
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Group align="flex-end" gap="sm">
          <SegmentedControl
            aria-label={t('tags:of')}
            data={levels.map(value => ({ value, label: t(`tags:levels.${value}`) }))}
            value={owner.level}
            onChange={show}
          />
          {owner.level !== 'client' && (
            <OwnerChoice
              key={owner.level}
              level={owner.level}
              uid={owner.uid}
              onChange={uid => show(owner.level, uid ?? '')}
            />
          )}
        </Group>
        {mayChange && (
          <Button
            variant="default"
            leftSection={<IconUpload size={16} aria-hidden />}
            onClick={() => setIsImporting(true)}
          >
            {t('tags:import.open')}
          </Button>
        )}
      </Group>
      <Text c="dimmed" size="sm">
        {t(`tags:about.${owner.level}`)}
      </Text>
      {isChosen(owner) ? (
        <>
          <TagList key={owner.uid} owner={owner} />
          {owner.level === 'device' && <DeviceTags key={`${owner.uid} all`} uid={owner.uid} />}
        </>
      ) : (
        <Panel>
          <EmptyState
            icon={IconTags}
            title={t(`tags:choose.${owner.level}`)}
            text={t(`tags:chooseText.${owner.level}`)}
          />
        </Panel>
      )}
      <TagImportDialog isOpen={isImporting} onClose={() => setIsImporting(false)} />
    </Stack>
  )
}

interface OwnerChoiceProps {
  level: 'group' | 'device'
  uid: string | null
  onChange: (uid: string | null) => void
}

function OwnerChoice({ level, uid, onChange }: OwnerChoiceProps) {
  const { t } = useTranslate()
  const { data: chosen } = useQuery({ ...ownerQuery(level, uid ?? ''), enabled: uid !== null })
  const query = (search: string) => ({ search, size: 30, sort: 'name' }) as const
  return (
    <SearchSelect
      label={t(`tags:levels.${level}`)}
      placeholder={t(`tags:choose.${level}`)}
      value={uid}
      chosen={chosen}
      labelOf={({ name }) => name}
      find={(search, signal) =>
        level === 'group'
          ? call(listGroups, { params: { x: 'all' }, query: query(search), signal })
          : call(listDevices, { query: query(search), signal })
      }
      findKey={search =>
        level === 'group' ? queryKeys.groups.found('all', search) : queryKeys.devices.list(query(search))
      }
      nothingFound={t('list:nothingFound')}
      onChange={onChange}
    />
  )
}
