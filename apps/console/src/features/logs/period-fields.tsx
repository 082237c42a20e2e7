import { CloseButton, Group, TextInput } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { fillMoment, readMoment, type LogPeriod } from './log-period.ts'
import styles from './logs.module.css'

interface PeriodFieldsProps {
  period: LogPeriod
  onChange: (period: Record<string, string>) => void
}

/** From when to when, by the reader's clock; empty fields do not limit. */
export function PeriodFields({ period, onChange }: PeriodFieldsProps) {
  const { t } = useWords()
  const put = (name: keyof LogPeriod, field: string) => {
    const { [name]: _, ...other } = period
    const moment = readMoment(field)
    onChange(moment === undefined ? other : { ...other, [name]: moment })
  }
  const isSet = period.from !== undefined || period.to !== undefined
  return (
    <Group gap="xs" className={styles.period}>
      {(['from', 'to'] as const).map(name => (
        <TextInput
          key={`${name}-${period[name] ?? ''}`}
          type="datetime-local"
          aria-label={t(`logs:${name}`)}
          leftSection={<span className={styles.word}>{t(`logs:${name}`)}</span>}
          leftSectionWidth={56}
          defaultValue={fillMoment(period[name])}
          onChange={event => put(name, event.currentTarget.value)}
        />
      ))}
      {isSet && <CloseButton aria-label={t('logs:clearPeriod')} onClick={() => onChange({})} />}
    </Group>
  )
}
