import type { SessionUser } from '@floorcast/contract/auth.ts'
import type { SecondStep } from '@floorcast/contract/problem.ts'
import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { loadAllCatalogues } from '../../platform/i18n.ts'

/** Loaded with its texts when it is needed: the first view of /login stays small. */
const SecondStepForm = lazy(async () => {
  const [{ SecondStepForm: Form }] = await Promise.all([import('./second-step.tsx'), loadAllCatalogues()])
  return { default: Form }
})

export const titleOfStep = ({ mustEnroll }: SecondStep) =>
  mustEnroll ? 'auth:factor.setUpTitle' : 'auth:factor.title'

export function LazySecondStep(props: {
  step: SecondStep
  onEnter: (user: SessionUser) => void
  onCancel: () => void
}) {
  return (
    <Suspense fallback={<Skeleton height={160} aria-busy />}>
      <SecondStepForm {...props} />
    </Suspense>
  )
}
