import type { RestoredPlays, RestoredRange } from '@floorcast/contract/redelivery.ts'
import { Anchor, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { useFormat } from '../../platform/format.ts'
import { loadWords, useTranslate } from '../../platform/i18n.ts'
import { useRestoredHelp } from '../../platform/manual-address.ts'
import { onDemand } from '../overlay/on-demand.tsx'
import { Popover } from '../overlay/overlays.tsx'
import styles from './restored-mark.module.css'

interface RestoredMarkProps {
  /** Null and undefined: the plays are whole. */
  restored: RestoredPlays | null | undefined
}

/**
 * Says beside a figure of plays that it may lack some since a restore of the server, in the words of the reports. A click says which
 * days and devices. Draws nothing for plays that are whole; the words come when they are needed.
 */
export const RestoredMark = onDemand<RestoredMarkProps>(
  async () => {
    await loadWords('reports')
    return Mark
  },
  ({ restored }) => restored !== null && restored !== undefined,
  () => <span className={styles.standIn} aria-hidden />,
)

function Mark({ restored }: RestoredMarkProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const help = useRestoredHelp()
  const { awaited, lost } = restored ?? {}
  const label = t('reports:columns.restored')
  const inWords = ({ from, to, devices }: RestoredRange) => ({
    from: format.day(from),
    to: format.day(to),
    devices: format.number(devices),
  })
  return (
    <Popover position="bottom-start" width={320} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={styles.mark} data-lost={lost !== undefined || undefined}>
          <IconAlertTriangleFilled size={16} aria-hidden />
          <span className={styles.text}>
            {t('labeled', { label, value: t(`reports:values.restored.${lost ? 'lost' : 'awaited'}`) })}
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {awaited && <Text size="sm">{t('reports:notes.restoredAwaited', inWords(awaited))}</Text>}
          {lost && <Text size="sm">{t('reports:notes.restoredLost', inWords(lost))}</Text>}
          <Anchor href={help} target="_blank" rel="noreferrer" size="sm" td="underline">
            {t('shell:settings.help')}
          </Anchor>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
