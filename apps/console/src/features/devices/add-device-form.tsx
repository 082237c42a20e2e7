import { DeviceDraft } from '@floorcast/contract/devices.ts'
import { Kind } from '@floorcast/contract/fields.ts'
import { SegmentedControl } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useAddDevice } from './devices-data.ts'

interface AddDeviceFormProps {
  isOpen: boolean
  onClose: () => void
  /** The card of the new device shows its licence key. */
  onAdded: (uid: string) => void
}

const initial: { name: string; description: string; kind: Kind } = {
  name: '',
  description: '',
  kind: 'audio',
}
const Draft = DeviceDraft.extend({ kind: Kind })

export function AddDeviceForm({ isOpen, onClose, onAdded }: AddDeviceFormProps) {
  const { t } = useWords()
  const { mutateAsync } = useAddDevice()
  const save = async (values: typeof initial) => {
    const { uid } = await mutateAsync(Draft.parse(values))
    void toast('success', t('devices:added', { name: values.name.trim() }))
    if (uid) onAdded(uid)
  }
  return (
    <SideForm
      isOpen={isOpen}
      title={t('devices:add')}
      schema={Draft}
      initial={initial}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <SegmentedControl
            fullWidth
            aria-label={t('devices:columns.kind')}
            data={[
              { value: 'audio', label: t('kinds.audio') },
              { value: 'video', label: t('kinds.video') },
            ]}
            {...form.getInputProps('kind')}
          />
          <NameFields form={form} />
        </>
      )}
    </SideForm>
  )
}
