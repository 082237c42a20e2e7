import { UpdateStep } from '@floorcast/contract/events.ts'
import { IconDeviceSpeaker, IconRefreshDot } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { deviceColumns } from './update-device-columns.tsx'
import { updateQueries } from './updates-data.ts'

const defaults = { filters: ['step'], sort: 'name' } as const

/** The update that each device runs, is offered and has reported; of one package, the devices of its channels. */
export function UpdateDevices({ packageUid }: { packageUid?: string }) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const list = useList(defaults)
  const query = packageUid === undefined ? list.query : { ...list.query, package: packageUid }
  const result = useQuery({ ...updateQueries.devices(query), enabled: list.isReady })
  const columns = useMemo(() => deviceColumns(t), [t])
  return (
    <DataTable
      name="update-devices"
      label={t('updates:fields.devices')}
      list={list}
      result={result}
      columns={columns}
      rowName={device => device.name}
      rowHref={device => paths.device(device.uid)}
      filters={[
        {
          name: 'step',
          label: t('updates:fields.step'),
          isMulti: true,
          options: UpdateStep.options.map(value => ({ value, label: t(`updates:steps.${value}`) })),
        },
      ]}
      rowActions={[
        {
          label: t('routes:updatesLog'),
          icon: <IconRefreshDot size={16} aria-hidden />,
          run: device => void navigate(paths.deviceLog('update', device.uid)),
        },
      ]}
      empty={
        <EmptyState
          icon={IconDeviceSpeaker}
          title={t('updates:devices.empty.title')}
          text={t(
            packageUid === undefined ? 'updates:devices.empty.text' : 'updates:devices.empty.ofPackage',
          )}
        />
      }
    />
  )
}
