import { GroupDraft, type GroupCard } from '@floorcast/contract/groups.ts'
import { useWords } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useEditGroup } from './groups-data.ts'

interface EditGroupFormProps {
  group: GroupCard
  isOpen: boolean
  onClose: () => void
}

/** Name and description of a paused group; whoever changed it meanwhile is not overwritten. */
export function EditGroupForm({ group, isOpen, onClose }: EditGroupFormProps) {
  const { t } = useWords()
  const { mutateAsync } = useEditGroup()
  const initial = { name: group.name, description: group.description }
  const save = async (values: typeof initial) => {
    await mutateAsync({ uid: group.uid, version: group.version, ...GroupDraft.parse(values) })
    void toast('success', t('saved'))
  }
  return (
    <SideForm
      isOpen={isOpen}
      title={t('groups:edit')}
      schema={GroupDraft}
      initial={initial}
      onSave={save}
      onClose={onClose}
    >
      {form => <NameFields form={form} />}
    </SideForm>
  )
}
