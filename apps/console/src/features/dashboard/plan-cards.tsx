import type { Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { useFormat } from '../../platform/format.ts'
import { useWords, type Words } from '../../platform/i18n.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { FigureCard } from './figure-card.tsx'

const shareOf = ({ used, limit }: { used: number; limit: number }) => (limit === 0 ? 0 : used / limit)

const plans = ['trial', 'basic', 'medium', 'professional'] as const

/** A plan of docs/specification.md#1-what-the-product-does-and-for-whom in words; an operator's own plan by its name. */
function describePlan(t: Words, name: string): string {
  const plan = plans.find(known => known === name.toLowerCase())
  return plan ? t(`dashboard:plans.${plan}`) : name
}

/** Media volume, database size and subscription (docs/specification.md#2-screens-and-routes); and what is on the air. */
export function PlanCards({ metrics, limits }: { metrics: QuickMetrics; limits: Limits }) {
  const { t } = useWords()
  const format = useFormat()
  const { active, delayed, disabled } = metrics.publications
  return (
    <>
      <FigureCard
        label={t('dashboard:cards.media')}
        figure={<AnimatedNumber value={limits.mediaBytes.used} format={format.size} />}
        share={shareOf(limits.mediaBytes)}
        note={t('dashboard:cards.mediaNote', {
          count: metrics.media.items,
          limit: format.size(limits.mediaBytes.limit),
        })}
      />
      <FigureCard
        label={t('dashboard:cards.publications')}
        figure={<AnimatedNumber value={active} format={format.number} />}
        note={t('dashboard:cards.publicationsNote', {
          delayed: format.number(delayed),
          disabled: format.number(disabled),
        })}
      />
      <FigureCard
        label={t('dashboard:cards.statistics')}
        figure={<AnimatedNumber value={limits.statisticsBytes.used} format={format.size} />}
        share={shareOf(limits.statisticsBytes)}
        note={t('dashboard:cards.statisticsNote', { limit: format.size(limits.statisticsBytes.limit) })}
      />
      <FigureCard
        label={t('dashboard:cards.subscription')}
        figure={describePlan(t, limits.plan)}
        note={t('dashboard:cards.subscriptionNote', { date: format.date(limits.expiresAt) })}
      />
    </>
  )
}
