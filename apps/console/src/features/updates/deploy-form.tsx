import type { DeployRow } from '@floorcast/contract/deploy-packages.ts'
import { Description, Uid } from '@floorcast/contract/fields.ts'
import type { PackageRow } from '@floorcast/contract/update-packages.ts'
import { Alert, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { ItemForm, type ItemFormProps } from '../../ui/side-form/item-form.tsx'
import { DescriptionField } from '../../ui/side-form/name-fields.tsx'
import { ChannelChoice, PackageChoice } from './update-choices.tsx'
import { useAddDeployPackage, useEditDeployPackage } from './updates-data.ts'

interface DeployFormProps extends ItemFormProps<DeployRow> {
  /** The package is chosen: only its channel is asked for. */
  ofPackage?: PackageRow | undefined
}

const Values = z.object({ packageUid: Uid, channelUid: Uid, description: Description, version: z.int() })

const isPausedOrNew = (deploy: DeployRow | undefined) => !deploy || deploy.state === 'paused'

/** Puts a package on a channel, paused, or changes what is on one. Unless it is paused, only its description changes. */
export function DeployForm({ ofPackage, ...props }: DeployFormProps) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddDeployPackage()
  const { mutateAsync: edit } = useEditDeployPackage()
  const { item } = props
  return (
    <ItemForm
      {...props}
      title={t(item ? 'updates:deploy.edit' : 'updates:deploy.add')}
      schema={Values}
      initial={{
        packageUid: item?.package.uid ?? ofPackage?.uid ?? '',
        channelUid: item?.channel.uid ?? '',
        description: item?.description ?? '',
        version: item?.version ?? 0,
      }}
      add={({ packageUid, channelUid, description }) => add({ packageUid, channelUid, description })}
      edit={({ version, ...draft }, deploy) => {
        const { description } = draft
        return edit({ uid: deploy.uid, version, ...(isPausedOrNew(deploy) ? draft : { description }) })
      }}
      addedText={() => t('updates:deploy.added')}
    >
      {form => <DeployFields form={form} deploy={item} ofPackage={ofPackage} />}
    </ItemForm>
  )
}

interface DeployFieldsProps extends Pick<DeployFormProps, 'ofPackage'> {
  form: UseFormReturnType<z.infer<typeof Values>>
  deploy: DeployRow | undefined
}

function DeployFields({ form, deploy, ofPackage }: DeployFieldsProps) {
  const { t } = useTranslate()
  const { packageUid, channelUid, description } = form.getValues()
  return (
    <>
      {!deploy && (
        <Text size="sm" c="dimmed">
          {t('updates:deploy.addHint')}
        </Text>
      )}
      {isPausedOrNew(deploy) ? (
        <>
          <PackageChoice
            initial={deploy?.package ?? ofPackage}
            data-autofocus={ofPackage === undefined || undefined}
            {...form.getInputProps('packageUid')}
            onChange={uid => form.setFieldValue('packageUid', uid)}
            value={packageUid}
          />
          <ChannelChoice
            initial={deploy?.channel}
            data-autofocus={ofPackage !== undefined || undefined}
            {...form.getInputProps('channelUid')}
            onChange={uid => form.setFieldValue('channelUid', uid)}
            value={channelUid}
          />
        </>
      ) : (
        <Alert color="amber">{t('updates:deploy.pauseToEdit')}</Alert>
      )}
      <DescriptionField text={description} field={form.getInputProps('description')} />
    </>
  )
}
