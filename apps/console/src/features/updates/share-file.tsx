import { Uid } from '@floorcast/contract/fields.ts'
import type { UpdateFileRow } from '@floorcast/contract/update-files.ts'
import type { PackageRow } from '@floorcast/contract/update-packages.ts'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { FileChoice, PackageChoice } from './update-choices.tsx'
import { useAddUpdateFile } from './updates-data.ts'

interface ShareFileProps {
  /** The draft that gets a file; without it the form asks for one. */
  draft?: PackageRow
  /** The file that is added; without it the form asks for one. */
  file?: UpdateFileRow
  onClose: () => void
}

const Values = z.object({ fileUid: Uid, packageUid: Uid })

/** Adds a stored file to a draft package. */
export function ShareFile({ draft, file, onClose }: ShareFileProps) {
  const { t } = useTranslate()
  const { mutateAsync } = useAddUpdateFile()
  const save = async (values: z.infer<typeof Values>) => {
    await mutateAsync(Values.parse(values))
    void toast('success', t('updates:file.shared'))
  }
  return (
    <SideForm
      isOpen
      title={t('updates:file.share')}
      saveLabel={t('updates:file.shareButton')}
      schema={Values}
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
