import { Modal, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useId, useState, type KeyboardEvent, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { useChangeGroupState } from '../../features/groups/groups-data.ts'
import { useChangePlaylistState } from '../../features/playlists/playlists-data.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeOutcome, toastFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { useIsMounted } from '../../platform/use-is-mounted.ts'
import styles from './command-palette.module.css'
import { useEntries, type Entry } from './palette-entries.ts'

interface CommandPaletteProps {
  isOpen: boolean
  open: (isOpen: boolean) => void
  /** The text that was typed before the field had the focus. */
  typed: RefObject<string>
}

/** Goes to a page, finds an item by its name, and does things with it: 'activate …', 'play log of …'. */
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
  const { entries, isSearching, isFailed } = useEntries(text)
  const chosen = Math.min(at, entries.length - 1)
  const changeState = useChangeState()
  const go = (entry: Entry | undefined) => {
    if (!entry) return
    const { step } = entry
    if ('complete' in step) {
      setText(step.complete)
      setAt(0)
      return
    }
    close()
    if ('path' in step) void navigate(step.path)
    else changeState(step)
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
        aria-label={t('palette:label')}
        placeholder={t('palette:label')}
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
        {!isSearching && isFailed && t('failedTitle')}
        {entries.length === 0 && !isSearching && !isFailed && t('list:nothingFound')}
      </p>
    </>
  )
}

/** Activates or pauses a group or playlist, and shows the result. */
function useChangeState() {
  const { t } = useTranslate()
  const group = useChangeGroupState()
  const playlist = useChangePlaylistState()
  return ({ kind, uid, from }: Extract<Entry['step'], { kind: string }>) => {
    const { mutateAsync } = kind === 'group' ? group : playlist
    mutateAsync({ uid, from }).then(
      outcome => void toast('success', describeOutcome(t, outcome, kind)),
      (error: unknown) => toastFailure(error, kind),
    )
  }
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
      aria-label={t('palette:results')}
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
      // The field keeps the focus: the text that an entry completes is typed on.
      onMouseDown={event => event.preventDefault()}
      onClick={() => props.go(entry)}
    >
      <Glyph size={20} stroke={1.75} aria-hidden />
      <span className={styles.name}>{entry.name}</span>
      <span className={styles.hint}>{entry.hint}</span>
    </li>
  )
}
