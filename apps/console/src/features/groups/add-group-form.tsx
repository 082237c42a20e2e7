import { Kind } from '@floorcast/contract/fields.ts'
import { GroupDraft } from '@floorcast/contract/groups.ts'
import { SegmentedControl, Text } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useAddGroup } from './groups-data.ts'

interface AddGroupFormProps {
  isOpen: boolean
  onClose: () => void
  onAdded: (uid: string) => void
}

const initial: { name: string; description: string; kind: Kind } = {
  name: '',
  description: '',
  kind: 'audio',
}
const Draft = GroupDraft.extend({ kind: Kind })

export function AddGroupForm({ isOpen, onClose, onAdded }: AddGroupFormProps) {
  const { t } = useWords()
  const { mutateAsync } = useAddGroup()
  const save = async (values: typeof initial) => {
    const { uid } = await mutateAsync(Draft.parse(values))
    void toast('success', t('groups:added', { name: values.name.trim() }))
    if (uid) onAdded(uid)
  }
  return (
    <SideForm
      isOpen={isOpen}
      title={t('groups:add')}
      schema={Draft}
      initial={initial}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <SegmentedControl
            fullWidth
            aria-label={t('groups:columns.kind')}
            data={[
              { value: 'audio', label: t('kinds.audio') },
              { value: 'video', label: t('kinds.video') },
            ]}
            {...form.getInputProps('kind')}
          />
          <Text size="sm" c="dimmed">
            {t('groups:kindHint')}
          </Text>
          <NameFields form={form} />
        </>
      )}
    </SideForm>
  )
}
