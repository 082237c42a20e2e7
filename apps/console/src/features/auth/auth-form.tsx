import { Alert, Button, Stack } from '@mantine/core'
import { useEffect, useRef, type FormEvent, type ReactNode } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { prepareToasts } from '../../platform/toasts.ts'
import { useSavingForm, type SavingForm } from '../../ui/side-form/use-saving-form.ts'
import type { AuthFormName } from './auth-data.ts'

type AuthCalls = typeof import('./auth-data.ts')

const loaded = createStore<AuthCalls | null>(null)

/** Loads schemas and calls with the first key or click in a form; submitting waits for them. */
async function loadAuthCalls(): Promise<AuthCalls> {
  const calls = loaded.get() ?? (await import('./auth-data.ts'))
  loaded.set(calls)
  return calls
}

/** Errors of a form that was submitted before its schema had loaded. */
class EarlyFaults extends Error {
  readonly fields: Record<string, string>

  constructor(fields: Record<string, string>) {
    super('Sent before it could be checked')
    this.fields = fields
  }
}

/** Takes over what the fields hold: some password managers fill them without an event. */
function readFields<Values extends Record<string, unknown>>(
  { setValues }: SavingForm<Values>['form'],
  element: HTMLFormElement,
): void {
  const held: Record<string, string> = {}
  for (const field of element.querySelectorAll<HTMLInputElement>('input[data-path]:not([type=checkbox])')) {
    const { path } = field.dataset
    if (path !== undefined) held[path] = field.value
  }
  setValues(held as Partial<Values>)
}

/** A sign-in form, validated by the contract's schemas once they are loaded. */
export function useAuthForm<Values extends Record<string, unknown>>(options: {
  name: AuthFormName
  initial: Values
  send: (calls: AuthCalls, values: Values) => Promise<unknown>
}): Omit<SavingForm<Values>, 'submit'> & Pick<AuthFormProps['form'], 'submit' | 'prepare'> {
  const { t } = useTranslate()
  const calls = useStore(loaded)
  const saving = useSavingForm<Values>({
    initial: options.initial,
    check: values => calls?.checkBy(t, calls.schemas[options.name])(values) ?? {},
    save: async values => {
      const now = await loadAuthCalls()
      const fields = now.checkBy(t, now.schemas[options.name])(values)
      if (Object.keys(fields).length > 0) throw new EarlyFaults(fields)
      await options.send(now, values)
    },
    explain: error => {
      if (error instanceof EarlyFaults) return { fields: error.fields, message: null }
      const known = loaded.get()
      if (!known) return { fields: {}, message: t('problems:noAnswer') }
      return known.explainFailure(t, error, Object.keys(options.initial))
    },
  })
  const prepare = (element: HTMLFormElement | null) => {
    // The loaded parts draw the form again, which would empty the fields.
    if (element) readFields(saving.form, element)
    void prepareToasts()
    // The form loads a failed chunk again on submit, and shows the error.
    void loadAuthCalls().catch(() => undefined)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    readFields(saving.form, event.currentTarget)
    saving.submit()
  }
  return { ...saving, submit, prepare }
}

interface AuthFormProps {
  form: {
    submit: (event: FormEvent<HTMLFormElement>) => void
    prepare: (element: HTMLFormElement | null) => void
    failure: string | null
    isBusy: boolean
  }
  submitLabel: string
  children: ReactNode
  /** Shown below the button. */
  foot?: ReactNode
}

/** The common parts of the sign-in forms: the last error, the fields, one button. */
export function AuthForm({ form, submitLabel, children, foot }: AuthFormProps) {
  const element = useRef<HTMLFormElement>(null)
  useEffect(
    () => element.current?.querySelector<HTMLElement>('input:not([type=hidden], [readonly])')?.focus(),
    [],
  )
  const prepare = () => form.prepare(element.current)
  return (
    <form ref={element} onSubmit={form.submit} noValidate>
      <Stack gap="md" onInput={prepare} onPointerDown={prepare}>
        {form.failure !== null && (
          <Alert color="red" role="alert">
            {form.failure}
          </Alert>
        )}
        {children}
        <Button type="submit" loading={form.isBusy} fullWidth>
          {submitLabel}
        </Button>
        {foot}
      </Stack>
    </form>
  )
}
