import { useWords } from '../../platform/i18n.ts'
import { CallError } from '@floorcast/contract/client.ts'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import type { z } from 'zod'
import { describeFailure } from '../../platform/outcomes.ts'
import { checkBy, describeRule } from './field-rules.ts'

export interface CheckedForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  isBusy: boolean
  /** Why saving failed, in words; what belongs to a field stands at the field instead. */
  failure: string | null
  submit: () => void
}

/**
 * A form checked by the contract's schema as one types; the server's 422 answers land at their fields, and whatever
 * fails, nothing that was typed is lost.
 */
export function useCheckedForm<Values extends Record<string, unknown>>(options: {
  schema: z.ZodType
  initial: Values
  save: (values: Values) => Promise<unknown>
}): CheckedForm<Values> {
  const { t } = useWords()
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useForm<Values>({
    initialValues: options.initial,
    validate: checkBy(t, options.schema),
    validateInputOnChange: true,
  })
  const save = async (values: Values) => {
    setBusy(true)
    setFailure(null)
    try {
      await options.save(values)
    } catch (error) {
      const fields = error instanceof CallError ? (error.problem?.errors ?? []) : []
      const known = fields.filter(({ path }) => path in options.initial)
      form.setErrors(Object.fromEntries(known.map(({ path, message }) => [path, describeRule(t, message)])))
      if (known.length === 0) setFailure(describeFailure(t, error))
    } finally {
      setBusy(false)
    }
  }
  return { form, isBusy, failure, submit: form.onSubmit(values => void save(values)) }
}
