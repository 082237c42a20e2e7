import { listGroups, type GroupRow } from '@floorcast/contract/groups.ts'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DuplicateDialog } from '../../ui/duplicate/duplicate-dialog.tsx'
import { useCopyGroup } from './groups-data.ts'

/** Copies a group without its devices: a device is in one group only. */
export function DuplicateGroup({ group, onClose }: { group: GroupRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync: copy } = useCopyGroup()
  return (
    <DuplicateDialog
      noun="group"
      name={group.name}
      text={t('groups:copyHas')}
      find={(query, signal) => call(listGroups, { params: { x: 'all' }, query, signal })}
      make={async name => (await copy({ uid: group.uid, name })).uid ?? ''}
      to={paths.group}
      onClose={onClose}
    />
  )
}
