import { DeviceChange, type DeviceCard, DeviceDraft } from '@floorcast/contract/devices.ts'
import { Day, Kind } from '@floorcast/contract/fields.ts'
import { Input, Slider, type SliderProps, TextInput, Stack, Text } from '@mantine/core'
import { z } from 'zod'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { localDay } from '../../platform/local-day.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { DateField, type DateFieldProps } from '../../ui/dates/date-field.tsx'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { ItemForm, type ItemFormProps, valuesOf } from '../../ui/side-form/item-form.tsx'
import { KindField } from '../../ui/side-form/kind-field.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { describeVolume } from './describe-volume.ts'
import { SameName } from './device-name.tsx'
import { useAddDevice, useEditDevice } from './devices-data.ts'
import { InstallLine } from './install-line.tsx'

const Values = DeviceDraft.extend({
  kind: Kind,
  ...DeviceChange.pick({ volume: true, version: true }).required().shape,
  expiresAt: z.union([z.literal(''), Day]),
})
const blank = {
  name: '',
  storeNumber: '',
  description: '',
  kind: 'audio' as Kind,
  volume: 0,
  version: 0,
  expiresAt: '',
}

/** @param subscriptionExpiresAt a device expires on its day at the latest */
const valuesUntil = (subscriptionExpiresAt: string) =>
  Values.extend({
    expiresAt: Values.shape.expiresAt.refine(
      day => day <= localDay(subscriptionExpiresAt),
      'after-subscription',
    ),
  })

/** Adds a device, or edits its name, store number, description, volume and, for admins, expiry; a concurrent change is not overwritten. */
export function DeviceForm(props: ItemFormProps<DeviceCard>) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddDevice()
  const { mutateAsync: edit } = useEditDevice()
  const { role, subscriptionExpiresAt } = useSignedInUser()
  const { item } = props
  const initial = valuesOf(
    blank,
    item && { ...item, expiresAt: expiryDay(item.ownExpiresAt, subscriptionExpiresAt) },
  )
  return (
    <ItemForm
      {...props}
      title={t(item ? 'devices:edit' : 'devices:add')}
      schema={valuesUntil(subscriptionExpiresAt)}
      initial={initial}
      add={values => add({ ...DeviceDraft.parse(values), contentType: values.kind })}
      edit={({ volume, version, expiresAt, ...values }, { uid }) => {
        // An unchanged day keeps the time that a program has set.
        const expiry = expiresAt === initial.expiresAt ? {} : { expiresAt: expiryOf(expiresAt) }
        return edit({ uid, ...DeviceDraft.parse(values), volume, version, ...expiry })
      }}
      addedText={({ name }) => t('devices:added', { name })}
    >
      {form => (
        <>
          {!item && <KindField label={t('devices:columns.kind')} field={form.getInputProps('kind')} />}
          <NameFields form={form} below={<SameName name={form.getValues().name} uid={item?.uid} />} />
          <TextInput
            label={t('devices:storeNumber')}
            description={t('devices:storeNumberHint')}
            autoComplete="off"
            {...form.getInputProps('storeNumber')}
          />
          {item && <VolumeField field={form.getInputProps('volume')} />}
          {item && role === 'admin' && <ExpiryField field={form.getInputProps('expiresAt')} />}
        </>
      )}
    </ItemForm>
  )
}

function ExpiryField({ field }: { field: Partial<DateFieldProps> }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { subscriptionExpiresAt } = useSignedInUser()
  return (
    <DateField
      label={t('devices:card.expires')}
      description={t('devices:card.expiresHint', { date: format.date(subscriptionExpiresAt) })}
      {...field}
    />
  )
}

function VolumeField({ field }: { field: SliderProps }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Input.Wrapper
      label={t('devices:card.volume')}
      description={t('devices:card.volumeHint')}
      labelElement="div"
    >
      <Slider
        mt="xs"
        mb="lg"
        mx="xs"
        thumbLabel={t('devices:card.volume')}
        label={value => describeVolume(t, format, value)}
        marks={[0, 50, 100].map(value => ({ value, label: format.percent(value / 100) }))}
        {...field}
      />
    </Input.Wrapper>
  )
}

/** The last moment of a day by the browser's clock. @param day YYYY-MM-DD; empty: no expiry of the device's own */
export const expiryOf = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59.999`).toISOString()

/** The day of a device's own expiry for its field; empty where there is none, or where it is after the subscription's end and counts for nothing. */
export function expiryDay(ownExpiresAt: string | null, subscriptionExpiresAt: string): string {
  if (ownExpiresAt === null || ownExpiresAt >= subscriptionExpiresAt) return ''
  return localDay(ownExpiresAt)
}

/** The line that installs the player program again on a machine that has its key. */
export function ReinstallDialog({ line, onClose }: { line: string; onClose: () => void }) {
  const { t } = useTranslate()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('devices:license.line')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="sm">
        <Text c="dimmed">{t('devices:license.again')}</Text>
        <InstallLine line={line} />
      </Stack>
    </Modal>
  )
}

export { BulkDevices } from './bulk-devices.tsx'
