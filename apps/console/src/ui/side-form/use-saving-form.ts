import { useForm, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useIsShown } from '../../platform/use-is-shown.ts'

/** The reasons of a failed save: messages by field, and one message for the rest. */
export interface SaveError {
  fields: Record<string, string>
  message: string | null
  /** The plan has no room for it: a larger one has. */
  isOverPlan?: boolean
}

export interface SavingForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  isBusy: boolean
  /** The message of a failed save, without those shown at fields. */
  failure: string | null
  isOverPlan: boolean
  submit: () => void
}

/** A form that is checked while the user types. A failed save keeps the values; a toast reports the failure of a form that was closed meanwhile. */
export function useSavingForm<Values extends Record<string, unknown>>(options: {
  initial: Values
  /** The messages of broken rules by field. */
  check: (values: Values) => Record<string, string>
  save: (values: Values) => Promise<unknown>
  explain: (error: unknown) => SaveError
}): SavingForm<Values> {
  const [failure, setFailure] = useState<string | null>(null)
  const [isOverPlan, setIsOverPlan] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const isShown = useIsShown()
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
      if (!isShown()) return toastLater(error)
      const { fields, message, isOverPlan: lacksRoom = false } = options.explain(error)
      form.setErrors(fields)
      focusFirst(form, fields)
      setFailure(message)
      setIsOverPlan(lacksRoom)
    } finally {
      setIsBusy(false)
    }
  }
  return {
    form,
    isBusy,
    failure,
    isOverPlan,
    submit: form.onSubmit(
      values => void save(values),
      faults => focusFirst(form, faults),
    ),
  }
}

/** /login does without this code. */
async function toastLater(error: unknown): Promise<void> {
  const { toastFailure } = await import('../../platform/outcomes.ts')
  toastFailure(error)
}

/** Focuses the first field with an error. */
function focusFirst<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  faults: Record<string, unknown>,
): void {
  const [first] = Object.keys(faults)
  if (first !== undefined) form.getInputNode(first)?.focus()
}
