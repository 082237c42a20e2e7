import { csvSeparatorOf } from '@floorcast/contract/csv.ts'
import { exportLicenseKeys } from '@floorcast/contract/device-import.ts'
import type { DeviceRow, listDevices } from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { Button, Group } from '@mantine/core'
import {
  IconBroadcast,
  IconDeviceSpeaker,
  IconDownload,
  IconPlus,
  IconRefresh,
  IconStack2,
  IconStackPop,
  IconTableImport,
  IconTag,
  IconVolume,
  type Icon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { downloadAnswer } from '../../platform/download.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, currentLanguage } from '../../platform/i18n.ts'
import { lists } from '../../platform/lists.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import type { PageAddress } from '../../platform/page-address.ts'
import { paths } from '../../platform/paths.ts'
import { usePublishDevices } from '../../platform/publish-address.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useMayChange, useSession } from '../../platform/session.ts'
import { useBulkRequest } from '../../ui/bulk/use-bulk-request.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { ListActions } from '../../ui/data-table/list-actions.tsx'
import type { BulkAction, Selection } from '../../ui/data-table/list-column.ts'
import { readListQuery, useList, type ListControl } from '../../ui/data-table/use-list.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { DeviceBulk } from './bulk-device-fields.tsx'
import { deviceFields } from './device-columns.tsx'
import { BulkDevices, DeviceForm } from './device-dialogs.ts'
import { deviceFilters } from './device-filters.ts'
import { useRenameDevice } from './device-name.tsx'
import { bulkSelectionOf, devicesQuery } from './devices-data.ts'

/** The list of devices, live. */
export function DevicesPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const navigate = useNavigate()
  const list = useList(lists.devices)
  const result = useQuery({ ...devicesQuery(list.query), enabled: list.isReady })
  const [isAdding, setIsAdding] = useState(false)
  const bulk = useBulkRequest<DeviceBulk, DeviceRow>()
  const { deleteRow } = bulk
  const rename = useRenameDevice()
  const columns = useMemo(() => listColumns(deviceFields(t, format)), [t, format])
  const mayChange = useMayChange()
  const addButtons = mayChange && <AddButtons onAdd={() => setIsAdding(true)} />
  const actions = useDeviceActions(bulk, list.query)
  const rowActions = useMemo(() => (mayChange ? [deleteRow] : []), [mayChange, deleteRow])
  return (
    <>
      <DataTable
        name="devices"
        label={t('routes:devices')}
        list={list}
        result={result}
        columns={columns}
        rowName={row => row.name}
        rowHref={row => paths.device(row.uid)}
        filters={deviceFilters(t, format, list.view.filters['place'])}
        rename={rename}
        rowActions={rowActions}
        bulkActions={mayChange ? actions : []}
        actions={addButtons}
        empty={
          <EmptyState
            icon={IconDeviceSpeaker}
            title={t('devices:empty.title')}
            text={t('devices:empty.text')}
            action={addButtons}
          />
        }
      />
      {isAdding && (
        <DeviceForm onClose={() => setIsAdding(false)} onAdded={uid => void navigate(paths.device(uid))} />
      )}
      {bulk.request && <BulkDevices {...bulk.request} query={list.query} onClose={bulk.cancel} />}
    </>
  )
}

DevicesPage.prefetch = async ({ search }: PageAddress) => {
  const query = readListQuery(search, lists.devices)
  if (query) await queryClient.prefetchQuery(devicesQuery(query))
}

/** The actions on selected devices; those of every day are buttons, the others are in the menu. */
function useDeviceActions(
  { ask, deleteMany }: ReturnType<typeof useBulkRequest<DeviceBulk, DeviceRow>>,
  query: ListControl['query'],
): BulkAction[] {
  const { t } = useTranslate()
  const publish = usePublishDevices()
  const isAdmin = useSession().user?.role === 'admin'
  const button = (action: Exclude<DeviceBulk, 'delete'>, Glyph: Icon, isInMenu = false): BulkAction => ({
    label: t(`bulk:devices.${action}.button`),
    icon: <Glyph size={16} aria-hidden />,
    isInMenu,
    run: ask(action),
  })
  return [
    {
      label: t('publish:open'),
      icon: <IconBroadcast size={16} aria-hidden />,
      run: selection => publish({ count: selection.count, selection: bulkSelectionOf(selection, query) }),
    },
    button('join', IconStack2),
    button('volume', IconVolume),
    button('leave', IconStackPop, true),
    ...(isAdmin ? [button('tag', IconTag, true)] : []),
    button('restart', IconRefresh, true),
    {
      label: t('devices:licenseKeys'),
      icon: <IconDownload size={16} aria-hidden />,
      isInMenu: true,
      run: selection =>
        void downloadLicenseKeys(selection, query).catch((error: unknown) => toastFailure(error)),
    },
    deleteMany,
  ]
}

/** Adds one device, or those of a list. */
function AddButtons({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslate()
  return (
    <Group gap="xs">
      <ListActions
        actions={[
          {
            label: t('devices:addMany'),
            icon: <IconTableImport size={16} aria-hidden />,
            to: paths.devicesImport,
          },
        ]}
      />
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
        {t('devices:add')}
      </Button>
    </Group>
  )
}

/** Saves the license keys of selected devices, or of all that the list's filter finds. @throws CallError */
function downloadLicenseKeys(selection: Selection, query: QueryOf<typeof listDevices>): Promise<void> {
  const { page: _page, size: _size, sort: _sort, dir: _dir, ...filter } = query
  const body =
    selection.kind === 'some' ? { uids: [...selection.uids] } : { filter, except: [...selection.except] }
  return downloadAnswer(
    exportLicenseKeys,
    { body, query: { separator: csvSeparatorOf(currentLanguage().code) } },
    'license-keys.csv',
  )
}
