import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { Refusal } from '../platform/client.ts'
import { useTranslate } from '../platform/i18n.ts'
import { paths } from '../platform/paths.ts'

/** Leads to the plans: beside what says that the plan's limit is reached. */
export function PlansLink() {
  const { t } = useTranslate()
  return (
    <Anchor component={Link} to={paths.pricing} size="sm" fw={600}>
      {t('shell:comparePlans')}
    </Anchor>
  )
}

/** Whether a larger plan would have taken the call. */
export const isOverPlan = (error: unknown): boolean =>
  error instanceof Refusal && error.outcome.reason === 'device-limit'
