import { Connectivity, type DeviceRow } from '@floorcast/contract/devices.ts'
import type { GroupCard } from '@floorcast/contract/groups.ts'
import { Title, Button } from '@mantine/core'
import { IconDeviceSpeaker, IconX, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { ActivityBadge } from '../../ui/activity-badge.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadingBar } from '../../ui/overlay/loading-bar.tsx'
import { onDemand } from '../../ui/overlay/on-demand.tsx'
import type { MemberMenu } from './add-member-menu.tsx'
import { membersQuery, useAddToGroup, useRemoveFromGroup } from './groups-data.ts'

const defaults = { filters: ['connectivity'], sort: 'name' } as const

/** The devices of a group; adding and removing works at any time, active or paused. */
export function GroupMembers({ group }: { group: GroupCard }) {
  const { t } = useTranslate()
  const list = useList(defaults)
  const result = useQuery(membersQuery(group.uid, list.query))
  const columns = useMemo(() => memberColumns(t), [t])
  const remove = useRemove(group)
  const mayChange = useMayChange()
  const title = t('groups:members', { count: group.deviceCount })
  // The button stands elsewhere in an empty list, and its menu stays open where it was opened.
  const [isOpen, setIsOpen] = useState<boolean | null>(null)
  const addButton = mayChange && <AddMember group={group} isOpen={isOpen} setIsOpen={setIsOpen} />
  return (
    <>
      <Title order={2}>{title}</Title>
      <DataTable
        name="group-members"
        label={title}
        list={list}
        result={result}
        columns={columns}
        rowName={device => device.name}
        rowHref={device => paths.device(device.uid)}
        filters={[
          {
            name: 'connectivity',
            label: t('groups:connection'),
            options: Connectivity.options.map(value => ({
              value,
              label: t(`activity:connectivity.${value}`),
            })),
          },
        ]}
        rowActions={
          mayChange
            ? [{ label: t('groups:removeMember'), icon: <IconX size={16} aria-hidden />, run: remove }]
            : []
        }
        actions={addButton}
        empty={
          <EmptyState
            icon={IconDeviceSpeaker}
            title={t('groups:noMembers.title')}
            text={t('groups:noMembers.text')}
            action={addButton}
          />
        }
      />
    </>
  )
}

function memberColumns(t: Translate): ListColumn<DeviceRow>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: device => device.name },
    {
      id: 'storeNumber',
      header: t('groups:storeNumber'),
      isSortable: true,
      cell: device => device.storeNumber && <bdi>{device.storeNumber}</bdi>,
    },
    {
      id: 'connectivity',
      header: t('activity:state'),
      cell: device => <ActivityBadge device={device} />,
    },
  ]
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

const AddMemberMenu = onDemand<MemberMenu>(
  async () => (await import('./add-member-menu.tsx')).AddMemberMenu,
  undefined,
  ComingButton,
)

interface AddMemberProps extends Omit<MemberMenu, 'isOpen'> {
  /** Null until the menu is first opened: its list brings a quarter of the page's code. */
  isOpen: boolean | null
}

/** A button that lists devices without a group. */
const AddMember = ({ isOpen, ...menu }: AddMemberProps) =>
  isOpen === null ? (
    <AddButton onClick={() => menu.setIsOpen(true)} />
  ) : (
    <AddMemberMenu isOpen={isOpen} {...menu} />
  )

function ComingButton() {
  return (
    <>
      <LoadingBar />
      <AddButton />
    </>
  )
}

function AddButton({ onClick }: { onClick?: () => void }) {
  const { t } = useTranslate()
  return (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} aria-hidden />}
      aria-expanded={false}
      onClick={onClick}
    >
      {t('groups:addMember')}
    </Button>
  )
}
