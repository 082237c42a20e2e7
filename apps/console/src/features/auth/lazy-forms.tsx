import type { SecondStep } from '@floorcast/contract/problem.ts'
import { Skeleton } from '@mantine/core'
import { type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { loadWords } from '../../platform/i18n.ts'
import { loadPart } from '../../platform/load-part.ts'
import { AuthLayout } from './auth-layout.tsx'

const placeholder = <Skeleton height={160} aria-busy />

/** A form that is loaded when it is needed: the first view of /login stays small. */
function lazyForm<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = placeholder,
) {
  const Form = lazy(async () => ({ default: await loadPart(load) }))
  return function LazyForm(props: ComponentProps<typeof Form>) {
    return (
      <Suspense fallback={fallback}>
        <Form {...props} />
      </Suspense>
    )
  }
}

/** Loads a form with its texts. */
const withTexts = <Form,>(load: () => Promise<Form>) => {
  return async () => (await Promise.all([load(), loadWords('shell', 'account')]))[0]
}

const page = <AuthLayout title="Floorcast">{placeholder}</AuthLayout>

export const RegisterForm = lazyForm(async () => (await import('./mail-forms.tsx')).RegisterForm)
export const RequestForm = lazyForm(withTexts(async () => (await import('./mail-forms.tsx')).RequestForm))
export const ForgotView = lazyForm(
  withTexts(async () => (await import('./mail-forms.tsx')).ForgotView),
  page,
)
export const ConfirmView = lazyForm(
  withTexts(async () => (await import('./mail-forms.tsx')).ConfirmView),
  page,
)

export const SecondStepForm = lazyForm(
  withTexts(async () => (await import('./second-step.tsx')).SecondStepForm),
)
export const titleOfStep = ({ mustEnroll }: SecondStep) =>
  mustEnroll ? 'auth:factor.setUpTitle' : 'auth:factor.title'
