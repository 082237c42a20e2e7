import type { GroupCard } from '@floorcast/contract/groups.ts'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { ItemFields } from '../../ui/detail/item-fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PublishButton } from '../../ui/publish-button.tsx'
import { BulkGroups } from './bulk-groups.tsx'
import { groupFields } from './group-columns.tsx'
import { GroupForm } from './group-form.tsx'
import { GroupMembers } from './group-members.tsx'
import { GroupStateBadge, GroupStateButton } from './group-state.tsx'
import { groupQuery } from './groups-data.ts'

/** One group: what it plays, and its devices. */
export function GroupPage() {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { uid = '' } = useParams()
  const mayChange = useMayChange()
  const result = useQuery(groupQuery(uid))
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  return (
    <DetailPage<GroupCard>
      result={result}
      name={group => group.name}
      status={group => <GroupStateBadge state={group.state} />}
      actions={group =>
        mayChange && (
          <>
            <PublishButton start={{ group: group.uid }} />
            <Tooltip label={t('groups:pauseFirst')} disabled={group.state === 'paused'}>
              <Button
                variant="default"
                data-disabled={group.state === 'active'}
                aria-disabled={group.state === 'active'}
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => group.state === 'paused' && setOpen('edit')}
              >
                {t('edit')}
              </Button>
            </Tooltip>
            <GroupStateButton uid={group.uid} state={group.state} />
            {group.permissions.mayDelete && <DeleteButton onClick={() => setOpen('delete')} />}
          </>
        )
      }
    >
      {group => (
        <>
          <GroupFacts group={group} />
          <GroupMembers group={group} />
          <GroupForm group={group} isOpen={open === 'edit'} onClose={() => setOpen(null)} />
          {open === 'delete' && (
            <BulkGroups
              action="delete"
              selection={{ kind: 'some', uids: [group.uid], count: 1 }}
              item={group}
              onClose={() => setOpen(null)}
              onDone={() => void navigate(paths.groups)}
            />
          )}
        </>
      )}
    </DetailPage>
  )
}

function DeleteButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslate()
  return (
    <ActionIcon variant="default" size={36} aria-label={t('delete')} onClick={onClick}>
      <IconTrash size={20} aria-hidden />
    </ActionIcon>
  )
}

function GroupFacts({ group }: { group: GroupCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Panel>
      <ItemFields fields={groupFields(t, format)} card={group} />
    </Panel>
  )
}
