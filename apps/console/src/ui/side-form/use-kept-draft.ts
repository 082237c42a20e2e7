import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef } from 'react'
import { sessionStore } from '../../platform/session.ts'

/** What was typed in the one form that a session ended under. */
let kept: { owner: string; key: string; values: object } | null = null

/**
 * A session that ends in the middle of a form takes the page away (docs/specification.md#8-error-catalogue), not what was typed:
 * the same person finds it when the same form is opened again.
 * @param title of the form; with the page's address it says which form it is
 */
export function useKeptDraft<Values extends Record<string, unknown>>(
  title: string,
  form: UseFormReturnType<Values>,
): void {
  const opened = useRef({ title, form })
  useEffect(() => {
    const { title: name, form: fields } = opened.current
    const owner = sessionStore.get().user?.uid ?? ''
    const key = `${location.pathname} ${name}`
    if (kept?.owner === owner && kept.key === key) {
      if (isOfForm(kept.values, fields.getInitialValues())) fields.setValues(kept.values)
      kept = null
    }
    return () => {
      if (sessionStore.get().token === null && fields.isDirty())
        kept = { owner, key, values: fields.getValues() }
    }
  }, [])
}

function isOfForm<Values extends object>(values: object, initial: Values): values is Partial<Values> {
  return Object.keys(values).every(name => Object.hasOwn(initial, name))
}
