import { Description, Name } from '@floorcast/contract/fields.ts'
import type { UpdateFileRow } from '@floorcast/contract/update-files.ts'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useEditUpdateFile } from './updates-data.ts'

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
      isOpen
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
