import { useTranslate } from '../../platform/i18n.ts'
import { PageTabs } from '../../ui/detail/page-tabs.tsx'
import { DeployList } from './deploy-list.tsx'
import { UpdateDevices } from './update-devices.tsx'

/** /updates/packagePub: which package is on which channel, and what each device runs, is offered and reports. */
export function DeploysPage() {
  const { t } = useTranslate()
  return (
    <PageTabs
      label={t('updates:deploy.tabs.label')}
      tabs={[
        { id: 'channels', label: t('updates:deploy.tabs.channels'), content: <DeployList /> },
        { id: 'devices', label: t('updates:fields.devices'), content: <UpdateDevices /> },
      ]}
    />
  )
}
