import { useTranslate } from '../../platform/i18n.ts'
import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

interface Named {
  name: string
  description: string
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
  const used = (text: string) => [...text.trim()].length
  const { name, description } = form.getValues()
  return (
    <>
      <TextInput
        label={t('name')}
        description={t('fields:nameHint', { used: used(name) })}
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
      <Textarea
        label={t('description')}
        description={t('fields:descriptionHint', { used: used(description) })}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
    </>
  )
}
