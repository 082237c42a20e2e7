import type { MediaType } from '@floorcast/contract/media.ts'
import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useTranslate } from '../platform/i18n.ts'
import { paths } from '../platform/paths.ts'
import { sentenceGap } from '../platform/sentences.ts'
import { ErrorPanel } from './error-panel.tsx'

interface LibraryStatesProps {
  type: MediaType
  search: string
  /** The query of the library; `isEmpty`: it has come and has no media. */
  result: { isPending: boolean; error: unknown; data: unknown; refetch: () => unknown }
  isEmpty: boolean
}

/** What stands in the place of the media to choose from: that they are loading, why they are not, or where to upload some. */
export function LibraryStates({ type, search, result, isEmpty }: LibraryStatesProps) {
  const { t } = useTranslate()
  if (result.isPending) return <LibrarySkeleton />
  if (!result.data) return <ErrorPanel error={result.error} retry={() => void result.refetch()} />
  if (!isEmpty) return null
  if (search.length > 0) return <Text c="dimmed">{t('playlists:nothingFound')}</Text>
  return (
    <Text c="dimmed">
      {t('playlists:libraryEmpty')}
      {sentenceGap()}
      <Anchor component={Link} to={paths.media(type)}>
        {t(`media:upload.${type}`)}
      </Anchor>
    </Text>
  )
}

function LibrarySkeleton() {
  return (
    <Stack gap="xs" aria-hidden>
      {[70, 50, 60, 80, 55, 65, 45, 75].map(width => (
        <Skeleton key={width} height={16} width={`${width}%`} my={8} />
      ))}
    </Stack>
  )
}
