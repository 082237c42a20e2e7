import { PackageState, type PackageCard } from '@floorcast/contract/update-packages.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { EditButton } from '../../ui/detail/item-actions.tsx'
import { ItemFields } from '../../ui/detail/item-fields.tsx'
import { PageTabs } from '../../ui/detail/page-tabs.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { Panel } from '../../ui/panel.tsx'
import { DeployList } from './deploy-list.tsx'
import { KeyNotice } from './key-notice.tsx'
import { packageFields } from './package-columns.tsx'
import { PackageFiles } from './package-files.tsx'
import { PackageBadge } from './update-badges.tsx'
import { UpdateDevices } from './update-devices.tsx'
import { ConfirmUpdate, PackageForm } from './update-dialogs.ts'
import { nameOfPackage, nextOf, usePackageRequests, type UpdateRequest } from './update-requests.ts'
import { turnIcon } from './update-icons.tsx'
import { updateQueries, useRenamePackage } from './updates-data.ts'

/** /updates/packageOne/{id}: a package, its files, the channels that it is on, and their devices. */
export function PackagePage() {
  const { t } = useTranslate()
  const { uid = '' } = useParams()
  const result = useQuery(updateQueries.package(uid))
  const rename = useRenamePackage()
  const [isEditing, setIsEditing] = useState(false)
  const [request, setRequest] = useState<UpdateRequest | null>(null)
  return (
    <DetailPage<PackageCard>
      result={result}
      name={nameOfPackage}
      rename={rename}
      status={card => <PackageBadge state={card.state} />}
      actions={card => <PackageActions card={card} onEdit={() => setIsEditing(true)} ask={setRequest} />}
    >
      {card => (
        <>
          <KeyNotice />
          <PackageFacts card={card} />
          <PageTabs
            label={t('updates:package.tabs.label')}
            tabs={[
              { id: 'files', label: t('updates:fields.files'), content: <PackageFiles card={card} /> },
              {
                id: 'channels',
                label: t('updates:fields.channels'),
                content: <DeployList ofPackage={card} />,
              },
              {
                id: 'devices',
                label: t('updates:fields.devices'),
                content: <UpdateDevices packageUid={card.uid} />,
              },
            ]}
          />
          {isEditing && <PackageForm item={card} onClose={() => setIsEditing(false)} />}
          {request && <ConfirmUpdate request={request} onClose={() => setRequest(null)} />}
        </>
      )}
    </DetailPage>
  )
}

interface PackageActionsProps {
  card: PackageCard
  onEdit: () => void
  ask: (request: UpdateRequest) => void
}

function PackageActions({ card, onEdit, ask }: PackageActionsProps) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { turn, remove } = usePackageRequests(ask)
  if (!useMayChange()) return null
  return (
    <>
      {card.state === 'draft' && <EditButton label={t('edit')} onClick={onEdit} />}
      <Button
        variant={card.state === 'released' ? 'default' : 'filled'}
        leftSection={turnIcon}
        onClick={() => turn(card)}
      >
        {t(`updates:package.turn.${nextOf(PackageState.options, card.state)}.button`)}
      </Button>
      <MoreMenu
        label={t('moreActions')}
        deleteLabel={t('delete')}
        onDelete={() => remove(card, () => void navigate(paths.packages))}
      />
    </>
  )
}

function PackageFacts({ card }: { card: PackageCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Panel>
      <ItemFields fields={packageFields(t, format)} card={card} />
    </Panel>
  )
}
