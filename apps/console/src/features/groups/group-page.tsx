import type { GroupCard } from '@floorcast/contract/groups.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import type { PageAddress } from '../../platform/page-address.ts'
import { paths } from '../../platform/paths.ts'
import { queryClient } from '../../platform/query-client.ts'
import { useMayChange } from '../../platform/session.ts'
import { AlertButton } from '../../ui/alert-button.tsx'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { EditButton } from '../../ui/detail/item-actions.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { ItemFields } from '../../ui/detail/item-fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import { DuplicateItem } from '../../ui/duplicate/duplicate-action.tsx'
import { PublishButton } from '../../ui/publish-button.tsx'
import { groupFields } from './group-columns.tsx'
import { BulkGroups, DuplicateGroup, GroupForm } from './group-dialogs.ts'
import { GroupMembers } from './group-members.tsx'
import { GroupStateBadge, GroupStateButton } from './group-state.tsx'
import { groupQuery, useRenameGroup } from './groups-data.ts'

/** One group: what it plays, and its devices. */
export function GroupPage() {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { uid = '' } = useParams()
  const mayChange = useMayChange()
  const result = useQuery(groupQuery(uid))
  const rename = useRenameGroup()
  const [open, setOpen] = useState<'edit' | 'copy' | 'delete' | null>(null)
  return (
    <DetailPage<GroupCard>
      result={result}
      name={group => group.name}
      rename={rename}
      status={group => <GroupStateBadge state={group.state} />}
      actions={group =>
        mayChange && (
          <>
            <PublishButton start={{ group: group.uid }} />
            <AlertButton start={group.uid} />
            {group.state === 'paused' && <EditButton label={t('edit')} onClick={() => setOpen('edit')} />}
            <GroupStateButton uid={group.uid} state={group.state} />
            {group.permissions.mayDelete && (
              <MoreMenu label={t('moreActions')} onDelete={() => setOpen('delete')}>
                <DuplicateItem t={t} onClick={() => setOpen('copy')} />
              </MoreMenu>
            )}
          </>
        )
      }
    >
      {group => (
        <>
          <GroupFacts group={group} />
          <GroupMembers group={group} />
          {open === 'edit' && <GroupForm item={group} onClose={() => setOpen(null)} />}
          {open === 'copy' && <DuplicateGroup group={group} onClose={() => setOpen(null)} />}
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

GroupPage.prefetch = ({ uid }: PageAddress) => queryClient.prefetchQuery(groupQuery(uid))

function GroupFacts({ group }: { group: GroupCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Panel>
      <ItemFields fields={groupFields(t, format)} card={group} />
    </Panel>
  )
}
