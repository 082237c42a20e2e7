import type { DeviceRow } from '@floorcast/contract/devices.ts'
import type { GroupCard } from '@floorcast/contract/groups.ts'
import { ActionIcon, Anchor, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { ConnectivityBadge } from '../../ui/connectivity-badge.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { AddMember } from './add-member.tsx'
import { useAddToGroup, useRemoveFromGroup } from './groups-data.ts'

/** The devices of a group; adding and removing works at any time, active or paused. */
export function GroupMembers({ group }: { group: GroupCard }) {
  const { t } = useTranslate()
  const remove = useRemove(group)
  const mayChange = useMayChange()
  const title = t('groups:members', { count: group.devices.length })
  return (
    <Panel title={title} end={mayChange && <AddMember group={group} />}>
      {group.devices.length === 0 ? (
        <Text c="dimmed">{t('groups:noMembers')}</Text>
      ) : (
        <PlainTable
          label={title}
          columns={memberColumns(t, mayChange ? remove : null)}
          rows={group.devices}
          rowKey={device => device.uid}
        />
      )}
    </Panel>
  )
}

function memberColumns(t: Translate, remove: ((device: DeviceRow) => void) | null): ListColumn<DeviceRow>[] {
  const columns: ListColumn<DeviceRow>[] = [
    {
      id: 'name',
      header: t('name'),
      cell: device => (
        <Anchor component={Link} to={paths.device(device.uid)} size="sm" fw={500} c="inherit">
          {device.name}
        </Anchor>
      ),
    },
    {
      id: 'connection',
      header: t('groups:connection'),
      cell: device => <ConnectivityBadge state={device.connectivity} />,
    },
    { id: 'playing', header: t('groups:playingNow'), cell: device => device.nowPlaying?.name ?? '–' },
  ]
  if (!remove) return columns
  return [
    ...columns,
    { id: 'remove', header: '', cell: device => <RemoveButton device={device} remove={remove} /> },
  ]
}

function RemoveButton({ device, remove }: { device: DeviceRow; remove: (device: DeviceRow) => void }) {
  const { t } = useTranslate()
  const label = t('groups:removeMember', { name: device.name })
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={() => remove(device)}>
        <IconX size={20} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** Takes a device out at once; Undo in the toast puts it back. */
function useRemove(group: GroupCard): (device: DeviceRow) => void {
  const { t } = useTranslate()
  const add = useAddToGroup()
  const { mutate } = useRemoveFromGroup()
  return device => {
    const pair = { device: device.uid, group: group.uid }
    const undo = () => add.mutate(pair, { onError: error => toastFailure(error) })
    mutate(pair, {
      onSuccess: () =>
        void toast('success', t('groups:memberRemoved', { name: device.name }), {
          action: { label: t('undo'), run: undo },
        }),
      onError: error => toastFailure(error),
    })
  }
}
