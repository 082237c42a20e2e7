import type { Kind } from '@floorcast/contract/fields.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import { SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { LibraryList } from './library-list.tsx'
import type { DraggedTrack } from './playlist-drag.ts'

const typesOf: Record<Kind, readonly MediaType[]> = {
  audio: ['melodies', 'ads'],
  video: ['videos', 'videosAds'],
}
const searchWaitMs = 250

interface LibraryProps {
  kind: Kind
  onAdd: (mediaUid: string) => void
  onAddMany: (mediaUids: readonly string[]) => void
  isAdding: boolean
  onDrag: (dragged: DraggedTrack | null) => void
}

/** Media that may be added to the playlist, by content type and search. */
export function PlaylistLibrary({ kind, onAdd, onAddMany, isAdding, onDrag }: LibraryProps) {
  const { t } = useTranslate()
  const { type, setType, text, setText, search } = useLibraryView(kind)
  return (
    <Stack gap="sm">
      <SegmentedControl
        fullWidth
        aria-label={t('playlists:libraryKind')}
        value={type}
        onChange={setType}
        data={typesOf[kind].map(value => ({ value, label: t(`routes:${value}`) }))}
      />
      <TextInput
        type="search"
        aria-label={t('playlists:searchLibrary')}
        placeholder={t('playlists:searchLibrary')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        maxLength={200}
        onChange={event => setText(event.currentTarget.value)}
      />
      <LibraryList
        key={type}
        type={type}
        search={search}
        onAdd={onAdd}
        onAddMany={onAddMany}
        isAdding={isAdding}
        onDrag={onDrag}
      />
    </Stack>
  )
}

/** The library's content type and search, kept in the page's address. */
function useLibraryView(kind: Kind) {
  const [address, setAddress] = useSearchParams()
  const type = typesOf[kind].find(known => known === address.get('library')) ?? typesOf[kind][0] ?? 'melodies'
  const [text, setText] = useState(address.get('find') ?? '')
  const [search] = useDebouncedValue(text.trim(), searchWaitMs)
  const setParameter = (name: string, value: string) =>
    setAddress(
      now => {
        const next = new URLSearchParams(now)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return {
    type,
    setType: (next: string) => setParameter('library', next === typesOf[kind][0] ? '' : next),
    text,
    setText: (next: string) => {
      setText(next)
      setParameter('find', next.trim())
    },
    search,
  }
}
