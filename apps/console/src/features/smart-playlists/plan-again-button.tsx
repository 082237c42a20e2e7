import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'

/** Links a paused smart playlist to the wizard, which plans it again. */
export function PlanAgainButton({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useTranslate()
  const { permissions, state, form, uid } = playlist
  if (form !== 'smart' || !permissions.mayEdit || state !== 'paused') return null
  return (
    <Button
      component={Link}
      to={paths.planAgain(uid)}
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
    >
      {t('playlists:smart.planAgain')}
    </Button>
  )
}
