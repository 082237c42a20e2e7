import type { DeployRow } from '@floorcast/contract/deploy-packages.ts'
import { Description, Uid } from '@floorcast/contract/fields.ts'
import type { PackageRow } from '@floorcast/contract/update-packages.ts'
import { Alert, Text, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { ChannelChoice, PackageChoice } from './update-choices.tsx'
import { useAddDeployPackage, useEditDeployPackage } from './updates-data.ts'

interface DeployFormProps {
  /** The deploy package to edit; without it the form adds one. */
  deploy?: DeployRow
  /** The package is chosen: only its channel is asked for. */
  ofPackage?: PackageRow | undefined
  onClose: () => void
}

const Values = z.object({ packageUid: Uid, channelUid: Uid, description: Description, version: z.int() })

const isPausedOrNew = (deploy: DeployRow | undefined) => !deploy || deploy.state === 'paused'

/** Puts a package on a channel, paused, or changes what is on one. Unless it is paused, only its description changes. */
export function DeployForm({ deploy, ofPackage, onClose }: DeployFormProps) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddDeployPackage()
  const { mutateAsync: edit } = useEditDeployPackage()
  const initial: z.infer<typeof Values> = {
    packageUid: deploy?.package.uid ?? ofPackage?.uid ?? '',
    channelUid: deploy?.channel.uid ?? '',
    description: deploy?.description ?? '',
    version: deploy?.version ?? 0,
  }
  const save = async (values: typeof initial) => {
    const { version, ...draft } = Values.parse(values)
    if (deploy) {
      const { description } = draft
      await edit({ uid: deploy.uid, version, ...(isPausedOrNew(deploy) ? draft : { description }) })
      void toast('success', t('saved'))
      return
    }
    await add(draft)
    void toast('success', t('updates:deploy.added'))
  }
  return (
    <SideForm
      isOpen
      title={t(deploy ? 'updates:deploy.edit' : 'updates:deploy.add')}
      schema={Values}
      initial={initial}
      onSave={save}
      onClose={onClose}
    >
      {form => <DeployFields form={form} deploy={deploy} ofPackage={ofPackage} />}
    </SideForm>
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
      <Textarea
        label={t('description')}
        description={t('fields:descriptionHint', { used: [...description.trim()].length })}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
    </>
  )
}
