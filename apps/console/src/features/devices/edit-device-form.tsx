import { DeviceChange, type DeviceCard } from '@floorcast/contract/devices.ts'
import { Input, Slider } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useEditDevice } from './devices-data.ts'

interface EditDeviceFormProps {
  device: DeviceCard
  isOpen: boolean
  onClose: () => void
}

const Values = DeviceChange.pick({ name: true, description: true, volume: true }).required()

/** Name, description and volume of a device; whoever changed it meanwhile is not overwritten. */
export function EditDeviceForm({ device, isOpen, onClose }: EditDeviceFormProps) {
  const { t } = useWords()
  const format = useFormat()
  const { mutateAsync } = useEditDevice()
  const initial = { name: device.name, description: device.description, volume: device.volume }
  const save = async (values: typeof initial) => {
    await mutateAsync({ uid: device.uid, version: device.version, ...Values.parse(values) })
    void toast('success', t('saved'))
  }
  return (
    <SideForm
      isOpen={isOpen}
      title={t('devices:edit')}
      schema={Values}
      initial={initial}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <NameFields form={form} />
          <Input.Wrapper label={t('devices:card.volume')} labelElement="div">
            <Slider
              mt="xs"
              mb="lg"
              mx="xs"
              thumbLabel={t('devices:card.volume')}
              label={value => format.percent(value / 100)}
              marks={[0, 50, 100].map(value => ({ value, label: format.percent(value / 100) }))}
              {...form.getInputProps('volume')}
            />
          </Input.Wrapper>
        </>
      )}
    </SideForm>
  )
}
