import { requestPlan, withdrawPlanRequest } from '@floorcast/contract/plans.ts'
import { change } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { useMayChange, useSignedInUser } from '../../platform/session.ts'
import { useChange } from '../../platform/use-change.ts'

/** Whether the signed-in user may ask for another plan: an admin with full rights. */
export function useMayRequestPlan(): boolean {
  const { role } = useSignedInUser()
  return useMayChange() && role === 'admin'
}

export function useRequestPlan() {
  const { t } = useTranslate()
  return useChange('account', (planKey: string) => change(requestPlan, { body: { planKey } }), {
    onSuccess: () => void toast('success', t('account:plans.recorded')),
    onError: error => toastFailure(error),
  })
}

export const useWithdrawPlanRequest = () =>
  useChange('account', () => change(withdrawPlanRequest, {}), { onError: error => toastFailure(error) })
