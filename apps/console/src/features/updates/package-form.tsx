import { PackageDraft, type PackageCard } from '@floorcast/contract/update-packages.ts'
import { TextInput } from '@mantine/core'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { ItemForm, type ItemFormProps, valuesOf } from '../../ui/side-form/item-form.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { useAddPackage, useEditPackage } from './updates-data.ts'

const Values = PackageDraft.extend({ recordVersion: z.int() })
const blank = { name: '', description: '', category: '', version: '', recordVersion: 0 }

/** Adds a package, a draft without files, or edits a draft. A concurrent change is not overwritten. */
export function PackageForm(props: ItemFormProps<PackageCard>) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddPackage()
  const { mutateAsync: edit } = useEditPackage()
  return (
    <ItemForm
      {...props}
      title={t(props.item ? 'updates:package.edit' : 'updates:package.add')}
      schema={Values}
      initial={valuesOf(blank, props.item)}
      add={values => add(PackageDraft.parse(values))}
      edit={(values, { uid }) => edit({ uid, ...values })}
      addedText={({ name }) => t('updates:package.added', { name })}
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
    </ItemForm>
  )
}
