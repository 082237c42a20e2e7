import { useTranslate } from '../../platform/i18n.ts'
import { Textarea, TextInput, type TextareaProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

interface Named {
  name: string
  description: string
}

/** As many as the server counts. */
const countCharacters = (text: string) => [...text.trim()].length

/** A description, with the number of characters; `field` is the form's input props. */
export function DescriptionField({ text, field }: { text: string; field: TextareaProps }) {
  const { t } = useTranslate()
  return (
    <Textarea
      label={t('description')}
      description={t('fields:descriptionHint', { used: countCharacters(text) })}
      autosize
      minRows={2}
      maxRows={6}
      {...field}
    />
  )
}

/** Name and description by the rules of docs/specification.md#5-validation-rules, with the number of characters. */
export function NameFields<Values extends Named & Record<string, unknown>>({
  form,
  below,
}: {
  form: UseFormReturnType<Values>
  /** Below the name. */
  below?: ReactNode
}) {
  const { t } = useTranslate()
  const { name, description } = form.getValues()
  return (
    <>
      <TextInput
        label={t('name')}
        description={t('fields:nameHint', { used: countCharacters(name) })}
        required
        data-autofocus
        autoComplete="off"
        inputContainer={input => (
          <>
            {input}
            {below}
          </>
        )}
        {...form.getInputProps('name')}
      />
      <DescriptionField text={description} field={form.getInputProps('description')} />
    </>
  )
}
