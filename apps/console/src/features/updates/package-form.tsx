import { PackageDraft, type PackageCard } from '@floorcast/contract/update-packages.ts'
import { TextInput } from '@mantine/core'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useAddPackage, useEditPackage } from './updates-data.ts'

interface PackageFormProps {
  /** The draft to edit; without it the form adds one. */
  draft?: PackageCard
  onClose: () => void
  onAdded?: (uid: string) => void
}

const Values = PackageDraft.extend({ recordVersion: z.int() })
const blank = { name: '', description: '', category: '', version: '', recordVersion: 0 }

/** Adds a package, a draft without files, or edits a draft. A concurrent change is not overwritten. */
export function PackageForm({ draft, onClose, onAdded }: PackageFormProps) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddPackage()
  const { mutateAsync: edit } = useEditPackage()
  const initial = draft
    ? {
        name: draft.name,
        description: draft.description,
        category: draft.category,
        version: draft.version,
        recordVersion: draft.recordVersion,
      }
    : blank
  const save = async (values: typeof initial) => {
    const { recordVersion, ...fields } = Values.parse(values)
    if (draft) {
      await edit({ uid: draft.uid, recordVersion, ...fields })
      void toast('success', t('saved'))
      return
    }
    const { uid } = await add(fields)
    void toast('success', t('updates:package.added', { name: fields.name }))
    if (uid) onAdded?.(uid)
  }
  return (
    <SideForm
      isOpen
      title={t(draft ? 'updates:package.edit' : 'updates:package.add')}
      schema={Values}
      initial={initial}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <NameFields form={form} />
          <TextInput
            label={t('updates:fields.version')}
            description={t('updates:package.versionHint')}
            required
            autoComplete="off"
            dir="ltr"
            {...form.getInputProps('version')}
          />
          <TextInput
            label={t('updates:fields.category')}
            description={t('updates:package.categoryHint')}
            required
            autoComplete="off"
            {...form.getInputProps('category')}
          />
        </>
      )}
    </SideForm>
  )
}
