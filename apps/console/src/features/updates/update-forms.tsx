import { Description, Name, Uid } from '@floorcast/contract/fields.ts'
import type { UpdateFileRow } from '@floorcast/contract/update-files.ts'
import type { PackageRow } from '@floorcast/contract/update-packages.ts'
import { UpdateKey } from '@floorcast/contract/update-signing.ts'
import { Alert, Text, TextInput } from '@mantine/core'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { FileChoice, PackageChoice } from './update-choices.tsx'
import type { UpdateRequest } from './update-requests.ts'
import { useEditUpdateFile, useAddUpdateFile, useSetUpdateKey } from './updates-data.ts'

const Values = z.object({ name: Name, description: Description, version: z.int() })

/** Changes the name and description of a file in the lists; devices know it by its file name. */
export function FileForm({ file, onClose }: { file: UpdateFileRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync } = useEditUpdateFile()
  const { uid, name, description, version } = file
  const save = async (values: z.infer<typeof Values>) => {
    await mutateAsync({ uid, ...Values.parse(values) })
    void toast('success', t('saved'))
  }
  return (
    <SideForm
      title={t('updates:file.edit')}
      schema={Values}
      initial={{ name, description, version }}
      onSave={save}
      onClose={onClose}
    >
      {form => <NameFields form={form} />}
    </SideForm>
  )
}

interface ShareFileProps {
  /** The draft that gets a file; without it the form asks for one. */
  draft?: PackageRow
  /** The file that is added; without it the form asks for one. */
  file?: UpdateFileRow
  onClose: () => void
}

const ShareValues = z.object({ fileUid: Uid, packageUid: Uid })

/** Adds a stored file to a draft package. */
export function ShareFile({ draft, file, onClose }: ShareFileProps) {
  const { t } = useTranslate()
  const { mutateAsync } = useAddUpdateFile()
  const save = async (values: z.infer<typeof ShareValues>) => {
    await mutateAsync(ShareValues.parse(values))
    void toast('success', t('updates:file.shared'))
  }
  return (
    <SideForm
      title={t('updates:file.share')}
      saveLabel={t('updates:file.shareButton')}
      schema={ShareValues}
      initial={{ fileUid: file?.uid ?? '', packageUid: draft?.uid ?? '' }}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <FileChoice
            initial={file}
            data-autofocus={file === undefined || undefined}
            {...form.getInputProps('fileUid')}
            onChange={uid => form.setFieldValue('fileUid', uid)}
            value={form.getValues().fileUid}
          />
          <PackageChoice
            state="draft"
            initial={draft}
            data-autofocus={file !== undefined || undefined}
            {...form.getInputProps('packageUid')}
            onChange={uid => form.setFieldValue('packageUid', uid)}
            value={form.getValues().packageUid}
          />
        </>
      )}
    </SideForm>
  )
}

const KeyValues = z.object({ publicKey: UpdateKey })
const makeKey = 'npm run sign-update -- --make-key'

/** Sets the client's public key, or replaces it. @param former the present key; null without one */
export function KeyForm({ former, onClose }: { former: string | null; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync } = useSetUpdateKey()
  const save = async (values: z.infer<typeof KeyValues>) => {
    await mutateAsync(KeyValues.parse(values))
    void toast('success', t('updates:key.done'))
  }
  return (
    <SideForm
      title={t(former === null ? 'updates:key.set' : 'updates:key.replace')}
      schema={KeyValues}
      initial={{ publicKey: '' }}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <Text size="sm">{t('updates:key.howTo')}</Text>
          <CopyField label={t('updates:key.command')} text={makeKey} />
          {former !== null && <Alert color="amber">{t('updates:key.replaceText')}</Alert>}
          <TextInput
            label={t('updates:key.label')}
            description={t('updates:key.hint')}
            required
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            {...form.getInputProps('publicKey')}
          />
        </>
      )}
    </SideForm>
  )
}

/** Says what a step does, and does it once it is confirmed. A refusal stays in the dialog. */
export function ConfirmUpdate({ request, onClose }: { request: UpdateRequest; onClose: () => void }) {
  const { title, text, confirmLabel, isDanger = false, run, doneText } = request
  const confirm = async () => {
    await run()
    void toast('success', doneText)
    request.onDone?.()
  }
  return (
    <ConfirmDialog
      isOpen
      title={title}
      confirmLabel={confirmLabel}
      isDanger={isDanger}
      onConfirm={confirm}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  )
}

export { PackageForm } from './package-form.tsx'
export { ChannelForm } from './channel-form.tsx'
export { DeployForm } from './deploy-form.tsx'
export { UploadForm } from './upload-form.tsx'
