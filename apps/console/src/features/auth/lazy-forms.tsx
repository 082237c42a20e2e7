import { Skeleton } from '@mantine/core'
import { type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { loadAllCatalogues } from '../../platform/i18n.ts'
import { AuthLayout } from './auth-layout.tsx'

const placeholder = <Skeleton height={160} aria-busy />

/** A form that is loaded when it is needed: the first view of /login stays small. */
function lazyForm<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = placeholder,
) {
  const Form = lazy(async () => ({ default: await load() }))
  return function LazyForm(props: ComponentProps<typeof Form>) {
    return (
      <Suspense fallback={fallback}>
        <Form {...props} />
      </Suspense>
    )
  }
}

/** The forms of links by mail, with their texts. */
async function loadMailForms() {
  const [forms] = await Promise.all([import('./mail-forms.tsx'), loadAllCatalogues()])
  return forms
}

const page = <AuthLayout title="Floorcast">{placeholder}</AuthLayout>

export const RegisterForm = lazyForm(async () => (await import('./register-form.tsx')).RegisterForm)
export const RequestForm = lazyForm(async () => (await loadMailForms()).RequestForm)
export const ForgotView = lazyForm(async () => (await loadMailForms()).ForgotView, page)
export const ConfirmView = lazyForm(async () => (await loadMailForms()).ConfirmView, page)
