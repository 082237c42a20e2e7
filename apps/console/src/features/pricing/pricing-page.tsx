import { listPlans, type Plan } from '@floorcast/contract/plans.ts'
import { Anchor, Badge, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { callQuery } from '../../platform/call-query.ts'
import { useConsoleSettings } from '../../platform/console-settings.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { sentenceGap, splitAtSlot } from '../../platform/sentences.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { namePlan } from '../../ui/plan-name.ts'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { PlanRequest, useMayRequestPlan } from './plan-request.tsx'

const plansQuery = () => callQuery(queryKeys.plans(), listPlans, {})

/** The subscription plans side by side: /pages/pricing. */
export function PricingPage() {
  const { t } = useTranslate()
  const support = useConsoleSettings()?.supportEmail ?? null
  const mayRequest = useMayRequestPlan()
  const result = useQuery(plansQuery())
  if (result.isError && !result.data)
    return <ErrorPanel error={result.error} retry={() => void result.refetch()} />
  return (
    <Stack gap="md">
      <Text c="dimmed">
        {t('account:plans.text')}
        {sentenceGap()}
        {support === null ? (
          t('account:plans.ask')
        ) : (
          <Anchor href={`mailto:${support}`} inherit>
            {t('account:plans.write', { email: support })}
          </Anchor>
        )}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md" aria-busy={!result.data}>
        {result.data
          ? result.data.map(plan => <PlanCard key={plan.key} plan={plan} />)
          : [0, 1, 2, 3].map(place => <PlanSkeleton key={place} hasRequest={mayRequest && place > 0} />)}
      </SimpleGrid>
    </Stack>
  )
}

function PlanCard({ plan }: { plan: Plan }) {
  const { t } = useTranslate()
  const format = useFormat()
  const titleId = useId()
  const gigabytes = (count: number) => format.size(count * 1e9)
  return (
    <Panel>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} id={titleId}>
            {namePlan(t, plan.key)}
          </Title>
          {plan.isCurrent && <Badge variant="light">{t('account:plans.yours')}</Badge>}
        </Group>
        <Price dollars={plan.priceUsdPerMonth} />
        <Stack gap={6}>
          <Line isIncluded>{t('account:plans.devices', { count: plan.deviceLimit })}</Line>
          <Line isIncluded>{t('account:plans.media', { size: gigabytes(plan.mediaGigabytes) })}</Line>
          <Line isIncluded>
            {t('account:plans.statistics', { size: gigabytes(plan.statisticsGigabytes) })}
          </Line>
          <Line isIncluded={plan.hasSupport}>{t('account:plans.support')}</Line>
          <Line isIncluded={plan.hasExtendedSupport}>{t('account:plans.extended')}</Line>
        </Stack>
        <PlanRequest plan={plan} titleId={titleId} />
      </Stack>
    </Panel>
  )
}

/** The lines of a plan; all but the free one can be requested. */
function PlanSkeleton({ hasRequest }: { hasRequest: boolean }) {
  const { t } = useTranslate()
  const format = useFormat()
  const size = format.size(1e11)
  const lines = [
    t('account:plans.devices', { count: 100 }),
    t('account:plans.media', { size }),
    t('account:plans.statistics', { size }),
    t('account:plans.support'),
    t('account:plans.extended'),
  ]
  return (
    <Panel>
      <Stack gap="sm" aria-hidden>
        <Text component="div" fz="h2" lh="h2">
          <TextSkeleton text={namePlan(t, 'medium')} />
        </Text>
        <Text size="sm">
          <Text span fz={28} fw={600} lh={1.2}>
            <TextSkeleton text={format.dollars(99)} />
          </Text>
        </Text>
        <Stack gap={6}>
          {lines.map(line => (
            <Group key={line} gap={8} wrap="nowrap" align="flex-start">
              <Skeleton circle height={16} flex="none" mt={3} />
              <Text size="sm">
                <TextSkeleton text={line} />
              </Text>
            </Group>
          ))}
        </Stack>
        {hasRequest && <Skeleton height={36} />}
      </Stack>
    </Panel>
  )
}

/** The price stands out of its text. */
function Price({ dollars }: { dollars: number }) {
  const { t } = useTranslate()
  const format = useFormat()
  const isFree = dollars === 0
  const [before, after] = splitAtSlot(price =>
    isFree ? t('account:plans.freeForMonth', { free: price }) : t('account:plans.perMonth', { price }),
  )
  return (
    <Text size="sm" c="dimmed">
      {before}
      <Text span fz={28} fw={600} lh={1.2} c="var(--mantine-color-text)" className="fc-figures">
        {isFree ? t('account:plans.free') : format.dollars(dollars)}
      </Text>
      {after}
    </Text>
  )
}

function Line({ isIncluded, children }: { isIncluded: boolean; children: ReactNode }) {
  const { t } = useTranslate()
  const Sign = isIncluded ? IconCheck : IconMinus
  return (
    <Group gap={8} wrap="nowrap" align="flex-start" {...(isIncluded ? {} : { c: 'dimmed' })}>
      <Sign size={16} style={{ flex: 'none', marginBlockStart: 3 }} aria-hidden />
      <Text size="sm">
        {!isIncluded && (
          <span className="fc-unseen">
            {t('account:plans.without')}
            {sentenceGap()}
          </span>
        )}
        {children}
      </Text>
    </Group>
  )
}
