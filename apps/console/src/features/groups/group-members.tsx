import type { DeviceRow } from '@floorcast/contract/devices.ts'
import type { GroupCard } from '@floorcast/contract/groups.ts'
import { ActionIcon, Anchor, Table, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useWords } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { toast } from '../../platform/toasts.ts'
import { ConnectivityBadge } from '../../ui/connectivity-badge.tsx'
import { Panel } from '../../ui/panel.tsx'
import { AddMember } from './add-member.tsx'
import { useAddToGroup, useRemoveFromGroup } from './groups-data.ts'
import styles from './groups.module.css'

/** The devices of a group; adding and removing works at any time, active or paused. */
export function GroupMembers({ group }: { group: GroupCard }) {
  const { t } = useWords()
  const remove = useRemove(group)
  const { mayEdit } = group.permissions
  return (
    <Panel
      title={t('groups:members', { count: group.devices.length })}
      end={mayEdit && <AddMember group={group} />}
    >
      {group.devices.length === 0 ? (
        <Text c="dimmed">{t('groups:noMembers')}</Text>
      ) : (
        <div className={styles.scroll}>
          <Table className={styles.members} aria-label={t('groups:members', { count: group.devices.length })}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('name')}</Table.Th>
                <Table.Th>{t('groups:connection')}</Table.Th>
                <Table.Th>{t('groups:playingNow')}</Table.Th>
                {mayEdit && <Table.Th aria-label={t('list.rowMenu')} />}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {group.devices.map(device => (
                <Member key={device.uid} device={device} remove={mayEdit ? remove : null} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Panel>
  )
}

function Member({ device, remove }: { device: DeviceRow; remove: ((device: DeviceRow) => void) | null }) {
  const { t } = useWords()
  const label = t('groups:removeMember', { name: device.name })
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={paths.device(device.uid)} size="sm" fw={500} c="inherit">
          {device.name}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <ConnectivityBadge state={device.connectivity} />
      </Table.Td>
      <Table.Td>{device.nowPlaying?.name ?? '–'}</Table.Td>
      {remove && (
        <Table.Td ta="end">
          <Tooltip label={label}>
            <ActionIcon aria-label={label} onClick={() => remove(device)}>
              <IconX size={20} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Table.Td>
      )}
    </Table.Tr>
  )
}

/** Takes a device out at once; Undo in the toast puts it back. */
function useRemove(group: GroupCard): (device: DeviceRow) => void {
  const { t } = useWords()
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
