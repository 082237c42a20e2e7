import { requestPlan, withdrawPlanRequest, type Plan } from '@floorcast/contract/plans.ts'
import { Button, Group, Text } from '@mantine/core'
import { change } from '../../platform/client.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { useMayChange, useSignedInUser } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { changeHook, useChange } from '../../platform/use-change.ts'
import { useNow } from '../../platform/use-now.ts'

/** Whether the signed-in user may ask for another plan: an admin with full rights. */
export function useMayRequestPlan(): boolean {
  const { role } = useSignedInUser()
  return useMayChange() && role === 'admin'
}

export const useRequestPlan = changeHook('account', requestPlan)

export const useWithdrawPlanRequest = () =>
  useChange('account', () => change(withdrawPlanRequest, {}), { onError: error => toastFailure(error) })

/** Requests the plan, or says since when it is requested. Admins alone do; the own plan can be requested to go on after its end. */
export function PlanRequest({ plan, titleId }: { plan: Plan; titleId: string }) {
  const { t } = useTranslate()
  const { subscriptionExpiresAt } = useSignedInUser()
  const now = useNow(60_000)
  const mayRequest = useMayRequestPlan()
  const request = useRequestPlan({
    onSuccess: () => void toast('success', t('account:plans.recorded')),
    onError: error => toastFailure(error),
  })
  const isPaid = plan.priceUsdPerMonth > 0
  const isRunning = plan.isCurrent && Date.parse(subscriptionExpiresAt) > now
  if (plan.requestedAt !== null)
    return <OpenRequest requestedAt={plan.requestedAt} mayWithdraw={mayRequest} />
  if (!mayRequest || !isPaid || isRunning) return null
  return (
    <Button
      variant="default"
      loading={request.isPending}
      id={`request-${plan.key}`}
      aria-labelledby={`request-${plan.key} ${titleId}`}
      onClick={() => request.mutate({ planKey: plan.key })}
    >
      {t('account:plans.request')}
    </Button>
  )
}

function OpenRequest({ requestedAt, mayWithdraw }: { requestedAt: string; mayWithdraw: boolean }) {
  const { t } = useTranslate()
  const format = useFormat()
  const withdraw = useWithdrawPlanRequest()
  return (
    <Group gap="0 8px" justify="space-between">
      <Text size="sm" fw={600} role="status">
        {t('account:plans.requested', { date: format.date(requestedAt) })}
      </Text>
      {mayWithdraw && (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={withdraw.isPending}
          onClick={() => withdraw.mutate(undefined)}
        >
          {t('account:plans.withdraw')}
        </Button>
      )}
    </Group>
  )
}
