import { kindOfMedia, type MediaType } from '@floorcast/contract/media.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch, IconChecks } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, useEffect, useRef } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { LibraryStates } from '../../ui/library-states.tsx'
import { ListenButton } from '../../ui/listen-button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { libraryPage, libraryPageSize, toSmartTrack, listAllTracks } from './wizard-library.ts'
import styles from './wizard.module.css'

const searchWaitMs = 250

interface LibraryPaneProps {
  type: MediaType
  chosen: ReadonlySet<string>
  onAdd: (tracks: readonly SmartTrack[]) => void
  onRemove: (uid: string) => void
}

/** The library of one content type, searched and paged by the server; tracks are chosen one by one or all that match. */
export function LibraryPane({ type, chosen, onAdd, onRemove }: LibraryPaneProps) {
  const { t } = useTranslate()
  const { text, setText, search, page, setPage } = useLibraryView()
  const result = useQuery(libraryPage(type, search, page))
  const { data } = result
  return (
    <Panel
      title={t('wizard:library')}
      end={
        data && data.total > 0 ? (
          <SelectAll
            type={type}
            search={search}
            total={data.total}
            isMore={data.more ?? false}
            onAdd={onAdd}
          />
        ) : undefined
      }
    >
      <TextInput
        type="search"
        mb="xs"
        aria-label={t('wizard:searchLibrary')}
        placeholder={t('wizard:searchLibrary')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        maxLength={200}
        onChange={event => setText(event.currentTarget.value)}
      />
      <LibraryStates type={type} search={search} result={result} isEmpty={data?.items.length === 0} />
      {data && data.items.length > 0 && (
        <ul className={styles.rows} aria-label={t('wizard:library')} aria-busy={result.isPlaceholderData}>
          {data.items.map(row => (
            <LibraryRow
              key={row.uid}
              track={toSmartTrack(row)}
              isVideo={kindOfMedia(type) === 'video'}
              isChosen={chosen.has(row.uid)}
              onToggle={isAdded => (isAdded ? onAdd([toSmartTrack(row)]) : onRemove(row.uid))}
            />
          ))}
        </ul>
      )}
      {data && (
        <Pager
          label={t('wizard:libraryPages')}
          page={page}
          size={libraryPageSize}
          total={data.total}
          isMore={data.more ?? false}
          onChange={setPage}
        />
      )}
    </Panel>
  )
}

/** The search and its page; a new search starts at the first page. */
function useLibraryView() {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), searchWaitMs)
  const [position, setPosition] = useState({ search: '', page: 1 })
  const page = position.search === search ? position.page : 1
  return { text, setText, search, page, setPage: (next: number) => setPosition({ search, page: next }) }
}

interface LibraryRowProps {
  track: SmartTrack
  isVideo: boolean
  isChosen: boolean
  onToggle: (isAdded: boolean) => void
}

function LibraryRow({ track, isVideo, isChosen, onToggle }: LibraryRowProps) {
  const format = useFormat()
  return (
    <li className={styles.row} data-chosen={isChosen || undefined}>
      <Checkbox
        size="sm"
        className={styles.tick ?? ''}
        checked={isChosen}
        onChange={event => onToggle(event.currentTarget.checked)}
        label={
          <span className={styles.name}>
            <bdi>{track.name}</bdi>
          </span>
        }
      />
      <span className={styles.figure}>{format.duration(track.duration)}</span>
      <ListenButton uid={track.uid} name={track.name} isVideo={isVideo} />
    </li>
  )
}

interface SelectAllProps {
  type: MediaType
  search: string
  total: number
  isMore: boolean
  onAdd: (tracks: readonly SmartTrack[]) => void
}

/** Chooses all tracks that match the search. */
function SelectAll({ type, search, total, isMore, onAdd }: SelectAllProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const [loadedCount, setLoadedCount] = useState<number | null>(null)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [type])
  const selectAll = async () => {
    const control = new AbortController()
    abort.current = control
    setLoadedCount(0)
    try {
      const tracks = await listAllTracks(type, search, { signal: control.signal, onProgress: setLoadedCount })
      onAdd(tracks)
    } catch (error) {
      if (!control.signal.aborted) toastFailure(error)
    } finally {
      if (!control.signal.aborted) setLoadedCount(null)
    }
  }
  const size = format.number(total)
  return (
    <Button
      variant="default"
      leftSection={<IconChecks size={16} aria-hidden />}
      disabled={loadedCount !== null}
      onClick={() => void selectAll()}
    >
      {loadedCount !== null
        ? t('wizard:loadedTracks', { count: loadedCount })
        : isMore
          ? t('wizard:selectAllMore')
          : search === ''
            ? t('wizard:selectAll', { size })
            : t('wizard:selectFound', { size })}
    </Button>
  )
}
