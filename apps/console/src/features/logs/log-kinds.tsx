import type { DeviceLogKind } from '@floorcast/contract/devices.ts'
import { Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import { useWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'

const kinds: readonly DeviceLogKind[] = ['playtrack', 'playlist', 'heartbeat', 'debug', 'update']

/** The five logs of a device: each has an address of its own. */
export function LogKinds({ uid, kind }: { uid: string; kind: DeviceLogKind }) {
  const { t } = useWords()
  return (
    <Group component="nav" gap={4} aria-label={t('logs:kindsLabel')}>
      {kinds.map(other => (
        <Button
          key={other}
          component={Link}
          to={paths.deviceLog(other, uid)}
          size="compact-md"
          variant={other === kind ? 'light' : 'subtle'}
          {...(other === kind ? {} : { color: 'gray' })}
          aria-current={other === kind ? 'page' : undefined}
        >
          {t(`logs:kinds.${other}`)}
        </Button>
      ))}
    </Group>
  )
}
