import type { BulkPlan } from '@floorcast/contract/bulk-calls.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import { Alert, List, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeOutcome, isPlanLimit } from '../../platform/outcomes.ts'
import { FailureText, PlansLink } from '../failure-text.tsx'
import type { FailedItem } from './bulk-calls.ts'
import styles from './bulk.module.css'

interface PlanLinesProps {
  plan: BulkPlan | undefined
  error: unknown
  /** A sentence with the number of changed items; null: the dialog says it elsewhere. Default: '2 items will be changed.' */
  describe?: ((count: number) => string) | null | undefined
}

/** How many items an action changes, and how many it leaves out and why. */
export function PlanLines({ plan, error, describe }: PlanLinesProps) {
  const { t } = useTranslate()
  const format = useFormat()
  if (error)
    return (
      <Alert color="red" role="alert">
        <FailureText error={error} />
      </Alert>
    )
  if (!plan) return describe === null ? null : <Skeleton height={48} />
  const { count, freedBytes = 0 } = plan
  return (
    <div aria-live="polite">
      {count === 0 && <Text fw={600}>{t('bulk:nothing', { count })}</Text>}
      {count > 0 && describe && <Text>{describe(count)}</Text>}
      {count > 0 && describe === undefined && <Text fw={600}>{t('bulk:changes', { count })}</Text>}
      {freedBytes > 0 && <Text>{t('bulk:frees', { size: format.size(freedBytes) })}</Text>}
      {plan.offline > 0 && (
        <Text size="sm" c="dimmed">
          {t('bulk:offline', { count: plan.offline })}
        </Text>
      )}
      {plan.leftOut.length > 0 && (
        <Alert
          color="amber"
          title={t('bulk:leftOutTitle')}
          icon={<IconAlertTriangle size={20} aria-hidden />}
          mt="sm"
        >
          <List size="sm" listStyleType="none">
            {plan.leftOut.map(({ reason, count }) => (
              <List.Item key={reason}>
                {t(`bulk:leftOut.${reason}`, { count })}{' '}
                {isPlanLimit({ code: outcomes.notDone, reason }) && <PlansLink />}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  )
}

/** Every item that could not be changed, with the reason, in a list that scrolls. */
export function FailedList({ items }: { items: readonly FailedItem[] }) {
  const { t } = useTranslate()
  if (items.length === 0) return null
  return (
    <div>
      <Text fw={600} size="sm" mb={4}>
        {t('bulk:failed', { count: items.length })}
      </Text>
      {/* A keyboard scrolls it only while it has the focus. */}
      <ul className={styles.failed} tabIndex={0} aria-label={t('bulk:failed', { count: items.length })}>
        {items.map(({ uid, name, ...outcome }) => (
          <li key={uid}>
            <bdi>{name || t('bulk:gone')}</bdi>
            <Text span c="dimmed" size="sm">
              {describeOutcome(t, outcome)} {isPlanLimit(outcome) && <PlansLink />}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  )
}
