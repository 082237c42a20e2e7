import { Group, Slider, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconPlugConnected,
  IconPlugConnectedX,
  IconVolume,
  type Icon,
} from '@tabler/icons-react'
import { useTranslate } from '../../platform/i18n.ts'
import { useStore } from '../../platform/store.ts'
import type { Link } from './connection.ts'
import type { PagePlayer } from './page-player.ts'
import type { Streaming } from './streaming.ts'
import styles from './streaming.module.css'

const links: Record<Link, { icon: Icon; color: string }> = {
  connecting: { icon: IconPlugConnected, color: 'dimmed' },
  online: { icon: IconCircleCheck, color: 'green' },
  offline: { icon: IconPlugConnectedX, color: 'yellow' },
  replaced: { icon: IconAlertTriangle, color: 'red' },
  'signed-out': { icon: IconAlertTriangle, color: 'red' },
  'no-device': { icon: IconAlertTriangle, color: 'red' },
}

/** The volume of this page. */
export function PageVolume({ streaming }: { streaming: PagePlayer }) {
  const { t } = useTranslate()
  const { pageVolume } = useStore(streaming.status)
  return (
    <Group gap="xs" wrap="nowrap" className={styles.volume}>
      <IconVolume size={20} aria-hidden />
      <Slider
        flex={1}
        min={0}
        max={100}
        step={5}
        value={pageVolume}
        onChange={value => streaming.setPageVolume(value)}
        thumbLabel={t('streaming:volume')}
      />
    </Group>
  )
}

/** The volume, and how this page stands with the server: its connection, its files and its reports. */
export function PlayerFooter({ streaming }: { streaming: Streaming }) {
  const { t } = useTranslate()
  const { link, missing, unsent } = useStore(streaming.status)
  const { icon: LinkIcon, color } = links[link]
  const device = streaming.player.manifest?.device.name
  return (
    <Group className={styles.footer} justify="space-between" gap="md">
      <Group gap="md" className={styles.facts}>
        <Group gap={6} wrap="nowrap">
          <LinkIcon size={16} aria-hidden className={styles.linkIcon} data-color={color} />
          <Text size="sm">{t(`streaming:link.${link}`)}</Text>
        </Group>
        {device !== undefined && (
          <Text size="sm" c="dimmed" truncate maw={200}>
            {device}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {missing > 0 ? t('streaming:missing', { count: missing }) : t('streaming:complete')}
        </Text>
        {unsent > 0 && (
          <Text size="sm" c="dimmed">
            {t('streaming:unsent', { count: unsent })}
          </Text>
        )}
      </Group>
      <PageVolume streaming={streaming} />
    </Group>
  )
}
