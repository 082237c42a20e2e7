import type { Translate } from '../platform/i18n.ts'

const plans = ['trial', 'basic', 'medium', 'professional'] as const

/** The name of a subscription plan; an operator may have added others. */
export function namePlan(t: Translate, key: string): string {
  const plan = plans.find(known => known === key.toLowerCase())
  return plan ? t(`shell:plans.${plan}`) : key
}
