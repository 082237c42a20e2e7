import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { Field, Fields } from '../../ui/detail/fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import { describeDates } from './playlist-dates.ts'

/** What a playlist is, beside its tracks. */
export function PlaylistSummary({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useWords()
  const format = useFormat()
  const { crossfadeSeconds, groups } = playlist
  return (
    <Panel>
      {playlist.description !== '' && <Text mb="md">{playlist.description}</Text>}
      <Fields>
        <Field label={t('playlists:kind')}>{t(`kinds.${playlist.kind}`)}</Field>
        <Field label={t('playlists:dates')}>{describeDates({ t, format }, playlist)}</Field>
        <Field label={t('playlists:crossfade')}>
          {crossfadeSeconds === 0
            ? t('playlists:noCrossfade')
            : t('playlists:seconds', { value: format.number(crossfadeSeconds, 1) })}
        </Field>
        <Field label={t('playlists:groups')}>
          {groups.length === 0
            ? t('playlists:noGroups')
            : groups.map(({ uid, name }) => (
                <Anchor key={uid} component={Link} to={paths.group(uid)} me="xs">
                  <bdi>{name}</bdi>
                </Anchor>
              ))}
        </Field>
        <Field label={t('playlists:changed')}>{format.dateTime(playlist.changedAt)}</Field>
      </Fields>
    </Panel>
  )
}
