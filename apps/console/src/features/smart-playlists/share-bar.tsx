import type { DaySummary } from '@floorcast/planner/smart-day.ts'
import { Group, Text } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import styles from './smart-playlists.module.css'

/** Whose the air time is: ads, background, silence. */
export function ShareBar({ summary }: { summary: DaySummary }) {
  const { t } = useWords()
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
              time: format.duration(seconds),
            })}
          </Text>
        ))}
      </Group>
    </div>
  )
}
