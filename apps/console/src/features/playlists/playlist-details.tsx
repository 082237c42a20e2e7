import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { Anchor, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { DetailPage } from '../../ui/detail/detail-page.tsx'
import { Field, Fields } from '../../ui/detail/fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import { EditedVersion } from './edited-version.tsx'
import { PlaylistActions } from './playlist-actions.tsx'
import { describeDates } from './playlist-columns.tsx'
import { PlanStateBadge, PlaylistStateBadge } from './playlist-state-badge.tsx'
import { PlaylistStateBar } from './playlist-state-bar.tsx'

interface PlaylistDetailsProps {
  result: UseQueryResult<PlaylistWithTracks>
  /** Actions of simple or smart playlists alone; they stand before those of every playlist. */
  formActions: (playlist: PlaylistWithTracks) => ReactNode
  /** The content: items or planned day. */
  children: (playlist: PlaylistWithTracks) => ReactNode
}

/** The page of one playlist: state, actions and fields, then its content. */
export function PlaylistDetails({ result, formActions, children }: PlaylistDetailsProps) {
  return (
    <DetailPage
      result={result}
      name={playlist => playlist.name}
      status={playlist => (
        <>
          <PlaylistStateBadge state={playlist.state} />
          <PlanStateBadge planState={playlist.planState} />
        </>
      )}
      actions={playlist => (
        <>
          {formActions(playlist)}
          <PlaylistActions playlist={playlist} />
        </>
      )}
    >
      {playlist => (
        <>
          <PlaylistStateBar playlist={playlist} />
          <EditedVersion playlist={playlist} />
          <PlaylistSummary playlist={playlist} />
          {children(playlist)}
        </>
      )}
    </DetailPage>
  )
}

function PlaylistSummary({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useTranslate()
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
