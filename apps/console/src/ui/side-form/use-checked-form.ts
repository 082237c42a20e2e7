import type { z } from 'zod'
import { useWords } from '../../platform/i18n.ts'
import { checkBy, explainFailure } from './field-rules.ts'
import { useSavingForm, type SavingForm } from './use-saving-form.ts'

/** A form checked by the contract's schema as one types; the server's 422 answers land at their fields. */
export function useCheckedForm<Values extends Record<string, unknown>>(options: {
  schema: z.ZodType
  initial: Values
  save: (values: Values) => Promise<unknown>
}): SavingForm<Values> {
  const { t } = useWords()
  return useSavingForm({
    initial: options.initial,
    check: checkBy(t, options.schema),
    save: options.save,
    explain: error => explainFailure(t, error, Object.keys(options.initial)),
  })
}
