import type { Kind, KindFilter } from '@floorcast/contract/fields.ts'
import { type EditState, type GroupRow, listGroups } from '@floorcast/contract/groups.ts'
import { listPlaylists, type PlaylistRow } from '@floorcast/contract/playlists.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { call } from '../../platform/client.ts'
import { isolate, useTranslate, type Translate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { SearchSelect } from '../../ui/search-select.tsx'
import { publicationQueries } from './publications-data.ts'

interface ChoiceProps {
  ref?: Ref<HTMLInputElement>
  /** Empty or null while nothing is chosen. */
  value?: string | null
  onChange: (uid: string) => void
  nothingFound?: string
  description?: string
  error?: ReactNode
  'data-autofocus'?: boolean | undefined
  'data-path'?: string
}

/** The number of items that are listed before the user types. */
const LISTED = 30

type Choice = Pick<GroupRow | PlaylistRow, 'name' | 'kind' | 'state'>

const labelOf =
  (t: Translate, entity: 'group' | 'playlist') =>
  ({ name, kind, state }: Choice) =>
    `${isolate(name)} · ${t(`kinds.${kind}`)} · ${t(`states.${entity}.${state}`)}`

/** A device group. @param playlistKind a video playlist is for video groups only */
export function GroupChoice({
  playlistKind,
  value,
  onChange,
  ...field
}: ChoiceProps & { playlistKind?: Kind | undefined }) {
  const { t } = useTranslate()
  const { data: chosen } = useQuery(publicationQueries.group(value || null))
  const x: KindFilter = playlistKind === 'video' ? 'video' : 'all'
  return (
    <SearchSelect<Pick<GroupRow, 'uid'> & Choice>
      nothingFound={t('publications:noGroup')}
      {...field}
      label={t('publications:group')}
      placeholder={t('publications:chooseGroup')}
      required
      value={value || null}
      chosen={chosen}
      labelOf={labelOf(t, 'group')}
      find={(search, signal) =>
        call(listGroups, { params: { x }, query: { search, size: LISTED, sort: 'name' }, signal })
      }
      findKey={search => queryKeys.groups.found(x, search)}
      onChange={uid => onChange(uid ?? '')}
    />
  )
}

interface PlaylistChoiceProps extends ChoiceProps {
  /** An audio group plays audio playlists only; a video group plays both. */
  groupKind?: Kind | undefined
  /** Playlists of this state only. */
  state?: EditState
  /** The publication to leave out. */
  except?: string
}

/** A playlist. */
export function PlaylistChoice(props: PlaylistChoiceProps) {
  const { groupKind, state, except, value, onChange, ...field } = props
  const { t } = useTranslate()
  const { data: chosen } = useQuery(publicationQueries.playlist(value || null))
  const x: KindFilter = groupKind === 'audio' ? 'audio' : 'all'
  return (
    <SearchSelect<Pick<PlaylistRow, 'uid'> & Choice>
      nothingFound={t('publications:noPlaylist')}
      {...field}
      label={t('publications:playlist')}
      placeholder={t('publications:choosePlaylist')}
      required
      value={value || null}
      chosen={chosen}
      labelOf={labelOf(t, 'playlist')}
      except={except}
      find={(search, signal) =>
        call(listPlaylists, {
          params: { x },
          query: { search, size: LISTED, sort: 'name', ...(state === undefined ? {} : { state }) },
          signal,
        })
      }
      findKey={search => queryKeys.playlists.found(x, search, state)}
      onChange={uid => onChange(uid ?? '')}
    />
  )
}
