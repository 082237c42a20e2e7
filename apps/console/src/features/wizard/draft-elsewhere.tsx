import { Alert, Button, Group } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { DraftNews } from './draft-news.ts'
import type { DraftControl } from './use-saved-draft.ts'

interface DraftElsewhereProps extends Pick<DraftControl, 'takeSaved' | 'keepOwn' | 'beginAgain'> {
  news: DraftNews
  /** A new playlist, of which another may be begun. */
  isNew: boolean
}

/** Says that another tab has changed or finished the same draft. */
export function DraftElsewhere({ news, isNew, takeSaved, keepOwn, beginAgain }: DraftElsewhereProps) {
  const { t } = useTranslate()
  if (news.kind === 'changed')
    return (
      <Alert
        color="amber"
        role="alert"
        icon={<IconAlertTriangle aria-hidden />}
        title={t('wizard:elsewhere.changed')}
      >
        <Group gap="xs">
          <Button size="xs" onClick={takeSaved}>
            {t('wizard:elsewhere.takeSaved')}
          </Button>
          <Button size="xs" variant="default" onClick={keepOwn}>
            {t('wizard:elsewhere.keepOwn')}
          </Button>
        </Group>
      </Alert>
    )
  return (
    <Alert color="info" role="alert" icon={<IconCheck aria-hidden />} title={t('wizard:elsewhere.finished')}>
      <Group gap="xs">
        <Button
          size="xs"
          component={Link}
          to={news.uid === null ? paths.playlists : paths.playlist(news.uid)}
        >
          {t('wizard:elsewhere.open')}
        </Button>
        {isNew && (
          <Button size="xs" variant="default" onClick={beginAgain}>
            {t('wizard:elsewhere.beginAgain')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
