import { useForm, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'

/** Why saving failed: what belongs to a field by its name, and the rest in words. */
export interface SavingFault {
  fields: Record<string, string>
  words: string | null
}

export interface SavingForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  isBusy: boolean
  /** Why saving failed, in words; what belongs to a field stands at the field instead. */
  failure: string | null
  submit: () => void
}

/** A form that is checked as one types and, whatever fails, loses nothing that was typed. */
export function useSavingForm<Values extends Record<string, unknown>>(options: {
  initial: Values
  /** The broken rules by field, in words. */
  check: (values: Values) => Record<string, string>
  save: (values: Values) => Promise<unknown>
  explain: (error: unknown) => SavingFault
}): SavingForm<Values> {
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const form = useForm<Values>({
    initialValues: options.initial,
    validate: options.check,
    validateInputOnChange: true,
  })
  const save = async (values: Values) => {
    setIsBusy(true)
    setFailure(null)
    try {
      await options.save(values)
    } catch (error) {
      const { fields, words } = options.explain(error)
      form.setErrors(fields)
      focusFirst(form, fields)
      setFailure(words)
    } finally {
      setIsBusy(false)
    }
  }
  return {
    form,
    isBusy,
    failure,
    submit: form.onSubmit(
      values => void save(values),
      faults => focusFirst(form, faults),
    ),
  }
}

/** Leads to the first field that must change. */
function focusFirst<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  faults: Record<string, unknown>,
): void {
  const [first] = Object.keys(faults)
  if (first !== undefined) form.getInputNode(first)?.focus()
}
