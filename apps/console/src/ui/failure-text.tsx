import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useTranslate } from '../platform/i18n.ts'
import { describeFailure, isOverPlan, type OutcomeSubject } from '../platform/outcomes.ts'
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

/** Why a call failed; that of a plan's limit leads to the plans. */
export function FailureText({ error, subject }: { error: unknown; subject?: OutcomeSubject }) {
  const { t } = useTranslate()
  return (
    <>
      {describeFailure(t, error, subject)} {isOverPlan(error) && <PlansLink />}
    </>
  )
}
