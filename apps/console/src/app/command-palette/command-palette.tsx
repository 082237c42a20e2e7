import { listDevices } from '@floorcast/contract/devices.ts'
import { MediaType, listMedia } from '@floorcast/contract/media.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDeviceSpeaker, IconMusic, IconPlaylist, IconSearch, type Icon } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { useIsMounted } from '../../platform/use-is-mounted.ts'
import { pageIcons } from '../page-icons.ts'
import { sectionsFor } from '../sections.ts'
import styles from './command-palette.module.css'

type FoundKind = 'device' | 'media' | 'playlist'

/** An entity that matches the search, and the path of its page. */
export interface Found {
  kind: FoundKind
  uid: string
  name: string
  path: string
}

const maxResults = 5

async function searchAll(search: string, signal: AbortSignal): Promise<Found[]> {
  const query = { search, size: maxResults }
  const [devices, playlists, ...media] = await Promise.all([
    call(listDevices, { query, signal }),
    call(listPlaylists, { params: { x: 'all' }, query, signal }),
    ...MediaType.options.map(contentType => call(listMedia, { params: { contentType }, query, signal })),
  ])
  return [
    ...devices.items.map(({ uid, name }): Found => ({ kind: 'device', uid, name, path: paths.device(uid) })),
    ...media
      .flatMap(list => list.items)
      .slice(0, maxResults)
      .map(({ uid, name, contentType }): Found => ({
        kind: 'media',
        uid,
        name,
        path: paths.mediaItem(contentType, uid),
      })),
    ...playlists.items.map(({ uid, name }): Found => ({
      kind: 'playlist',
      uid,
      name,
      path: paths.playlist(uid),
    })),
  ]
}

/** Devices, media and playlists that match; from two characters on. */
const foundQuery = (search: string) =>
  queryOptions({
    queryKey: queryKeys.search(search),
    // Several entities are searched; no change marks the result as stale.
    staleTime: 0,
    queryFn: ({ signal }) => searchAll(search, signal),
    enabled: search.length >= 2,
    placeholderData: keepPreviousData,
  })

const icons: Record<FoundKind, Icon> = { device: IconDeviceSpeaker, media: IconMusic, playlist: IconPlaylist }

interface Entry {
  key: string
  name: string
  hint: string
  path: string
  icon: Icon
}

interface CommandPaletteProps {
  isOpen: boolean
  open: (isOpen: boolean) => void
  /** What was typed before the field had the focus. */
  typed: RefObject<string>
}

/** Goes to a page, or finds a device, media item or playlist. */
export function CommandPalette({ isOpen, open, typed }: CommandPaletteProps) {
  const { t } = useTranslate()
  const isMounted = useIsMounted()
  return (
    <Modal.Root
      opened={isMounted && isOpen}
      onClose={() => open(false)}
      centered={false}
      size={560}
      transitionProps={{ duration: 150 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('search')}>
        <PaletteBody typed={typed} close={() => open(false)} />
      </Modal.Content>
    </Modal.Root>
  )
}

function PaletteBody({ typed, close }: { typed: RefObject<string>; close: () => void }) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const list = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { entries, isSearching } = useEntries(text)
  const chosen = Math.min(at, entries.length - 1)
  const go = (entry: Entry | undefined) => {
    if (!entry) return
    close()
    void navigate(entry.path)
  }
  const onKey = (event: KeyboardEvent) => {
    const goal = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: entries.length - 1 }[event.key]
    if (goal !== undefined) setAt(Math.max(0, Math.min(entries.length - 1, goal)))
    else if (event.key === 'Enter') go(entries[chosen])
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        data-autofocus
        variant="unstyled"
        className={styles.field}
        leftSection={<IconSearch size={20} aria-hidden />}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={entries[chosen] ? `${list}-${chosen}` : undefined}
        aria-label={t('shell:palette.label')}
        placeholder={t('shell:palette.label')}
        value={text}
        onFocus={() => setText(before => before || typed.current)}
        onChange={event => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <Results id={list} entries={entries} chosen={chosen} isSearching={isSearching} go={go} />
      <p className={styles.none} role="status">
        {isSearching && t('loading')}
        {entries.length === 0 && !isSearching && t('list:nothingFound')}
      </p>
    </>
  )
}

interface ResultsProps {
  id: string
  entries: readonly Entry[]
  chosen: number
  isSearching: boolean
  go: (entry: Entry) => void
}

function Results({ id, entries, chosen, isSearching, go }: ResultsProps) {
  const { t } = useTranslate()
  return (
    <ul
      className={styles.list}
      id={id}
      role="listbox"
      aria-label={t('shell:palette.results')}
      aria-busy={isSearching}
    >
      {entries.map((entry, index) => (
        <EntryLine key={entry.key} id={`${id}-${index}`} entry={entry} isChosen={index === chosen} go={go} />
      ))}
    </ul>
  )
}

function EntryLine(props: { id: string; entry: Entry; isChosen: boolean; go: (entry: Entry) => void }) {
  const { entry, isChosen } = props
  const Glyph = entry.icon
  return (
    <li
      id={props.id}
      role="option"
      aria-selected={isChosen}
      className={styles.entry}
      ref={line => (isChosen ? line?.scrollIntoView({ block: 'nearest' }) : undefined)}
      onClick={() => props.go(entry)}
    >
      <Glyph size={20} stroke={1.75} aria-hidden />
      <span className={styles.name}>{entry.name}</span>
      <span className={styles.hint}>{entry.hint}</span>
    </li>
  )
}

function useEntries(text: string): { entries: Entry[]; isSearching: boolean } {
  const { t } = useTranslate()
  const user = useSignedInUser()
  const [search] = useDebouncedValue(text.trim(), 200)
  const found = useQuery(foundQuery(user.role === 'streamer' ? '' : search))
  const wanted = text.trim().toLocaleLowerCase()
  const pages = sectionsFor(user).flatMap(section =>
    section.pages.map((page): Entry => ({
      key: page.path,
      name: t(`routes:${page.name}`),
      hint: t(`routes:sections.${section.name}`),
      path: page.path,
      icon: pageIcons[page.name],
    })),
  )
  const entities = (wanted.length >= 2 ? (found.data ?? []) : []).map((entity): Entry => ({
    key: entity.uid,
    name: entity.name,
    hint: t(`shell:palette.kinds.${entity.kind}`),
    path: entity.path,
    icon: icons[entity.kind],
  }))
  const matching = pages.filter(page => page.name.toLocaleLowerCase().includes(wanted))
  return { entries: [...matching, ...entities], isSearching: found.isFetching }
}
