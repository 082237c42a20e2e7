import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { SideForm } from './side-form.tsx'

export interface ItemFormProps<Item> {
  /** The item to edit; without it the form adds one. */
  item?: Item | undefined
  onClose: () => void
  /** @param uid of the new item */
  onAdded?: (uid: string) => void
}

interface ItemFormParts<Item, Values, Checked> extends ItemFormProps<Item> {
  title: string
  /** The contract's draft, with what else the form has; checked while the user types. */
  schema: z.ZodType<Checked>
  initial: Values
  add: (values: Checked) => Promise<{ uid?: string | undefined }>
  edit: (values: Checked, item: Item) => Promise<unknown>
  addedText: (values: Checked) => string
  /** 'Saved' unless told. */
  savedText?: (values: Checked) => string
  /** The fields. */
  children: (form: UseFormReturnType<Values>) => ReactNode
}

/**
 * The values of a form when it opens: the item's fields of these names, or blank ones. Its version stays that of the opened form, while
 * the page behind it follows what others change.
 */
export const valuesOf = <Values extends object>(blank: Values, item: NoInfer<Values> | undefined): Values =>
  item
    ? (Object.fromEntries(Object.keys(blank).map(name => [name, item[name as keyof Values]])) as Values)
    : blank

/** Adds an item or edits one at the side of the page, and says so. */
export function ItemForm<Item, Values extends Record<string, unknown>, Checked>(
  parts: ItemFormParts<Item, Values, Checked>,
) {
  const { t } = useTranslate()
  const { item, schema, add, edit, addedText, savedText = () => t('saved'), onAdded, ...form } = parts
  const save = async (values: Values) => {
    const checked = schema.parse(values)
    if (item) {
      await edit(checked, item)
      void toast('success', savedText(checked))
      return
    }
    const { uid } = await add(checked)
    void toast('success', addedText(checked))
    if (uid) onAdded?.(uid)
  }
  return <SideForm {...form} schema={schema} onSave={save} />
}
