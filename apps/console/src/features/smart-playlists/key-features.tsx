import type { DaySummary } from '@floorcast/planner/smart-day.ts'
import { Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { memo } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Field, Fields } from '../../ui/detail/fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './smart-playlists.module.css'

interface KeyFeaturesProps {
  summary: DaySummary
  /** The minimum ad separation that was set, in seconds. */
  minAdGap: number
}

/** Figures of the day. */
export const KeyFeatures = memo(function KeyFeatures({ summary, minAdGap }: KeyFeaturesProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { ad, melody } = summary
  const seconds = (value: number) => t('wizard:seconds', { value: format.number(value, 2) })
  const distance = (value: number | null) => (value === null ? t('wizard:features.once') : format.span(value))
  return (
    <Panel title={t('wizard:features.title')}>
      <ShareBar summary={summary} />
      <Fields>
        <Field label={t('wizard:features.window')}>{format.span(summary.windowSeconds)}</Field>
        <Field label={t('wizard:features.blocks')}>
          {t('wizard:features.blocksOf', {
            ads: format.number(ad.blocks),
            melodies: format.number(melody.blocks),
          })}
        </Field>
        <Field label={t('wizard:features.adsAnHour')}>{format.number(ad.playsAnHour, 1)}</Field>
        <Field label={t('wizard:features.melodiesAnHour')}>{format.number(melody.playsAnHour, 1)}</Field>
        <Field label={t('wizard:features.nearestAd')}>
          <AdGap shortestSeconds={ad.shortestGapSeconds} minAdGap={minAdGap} />
        </Field>
        <Field label={t('wizard:features.nearestMelody')}>{distance(melody.shortestDistanceSeconds)}</Field>
        <Field label={t('wizard:features.deviation')}>
          {t('wizard:features.deviationOf', {
            mean: seconds(summary.meanDeviationSeconds),
            worst: seconds(summary.worstDeviationSeconds),
          })}
        </Field>
        <Field label={t('wizard:features.idle')}>{seconds(summary.idleSeconds)}</Field>
      </Fields>
    </Panel>
  )
})

/** A shorter gap counts as no time between two plays, as in the planner's rules. */
const NO_GAP_SECONDS = 0.01

/** The shortest time between two plays of an ad, with a warning if one plays twice in a row. */
function AdGap({ shortestSeconds, minAdGap }: { shortestSeconds: number | null; minAdGap: number }) {
  const { t } = useTranslate()
  const format = useFormat()
  if (shortestSeconds === null) return t('wizard:features.once')
  const shortest = format.span(shortestSeconds)
  if (shortestSeconds <= NO_GAP_SECONDS)
    return (
      <span className={styles.backToBack}>
        <IconAlertTriangle size={16} aria-hidden />
        {t('wizard:features.backToBack', { shortest })}
      </span>
    )
  return minAdGap > 0 ? t('wizard:features.gapSet', { shortest, set: format.span(minAdGap) }) : shortest
}

/** Shares of air time: ads, background, silence. */
function ShareBar({ summary }: { summary: DaySummary }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { windowSeconds, idleSeconds, ad, melody } = summary
  const parts = [
    { kind: 'ad', seconds: ad.seconds },
    { kind: 'melody', seconds: melody.seconds },
    { kind: 'silence', seconds: Math.max(0, idleSeconds) },
  ] as const
  return (
    <div className={styles.shares}>
      <div className={styles.shareBar} aria-hidden>
        {parts.map(({ kind, seconds }) => (
          <span key={kind} data-kind={kind} style={{ inlineSize: `${(seconds / windowSeconds) * 100}%` }} />
        ))}
      </div>
      <Group gap="md">
        {parts.slice(0, 2).map(({ kind, seconds }) => (
          <Text key={kind} size="sm" className={styles.key} data-kind={kind}>
            {t('wizard:shareOf', {
              kind: t(`wizard:kinds.${kind === 'ad' ? 'ad' : 'melody'}`),
              share: format.percent(seconds / windowSeconds),
              time: format.span(seconds),
            })}
          </Text>
        ))}
      </Group>
    </div>
  )
}
