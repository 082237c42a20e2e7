import type { MediaType } from '@floorcast/contract/media.ts'
import { Button, Text } from '@mantine/core'
import { IconPlaylistAdd } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { listAllMedia } from './playlist-editor-data.ts'
import styles from './playlist-editor.module.css'
import type { Ticks } from './use-ticks.ts'

/** More are added only after a confirmation. */
const manyTracks = 100

interface LibraryBarProps {
  type: MediaType
  search: string
  total: number
  /** There are more than `total`. */
  isMore: boolean
  ticks: Ticks
  onAddMany: (mediaUids: readonly string[]) => void
  /** Tracks are being added: the buttons that add many are disabled, those of the rows are not. */
  isAdding: boolean
}

/** Adds the ticked tracks, or all that match the search. */
export function LibraryBar(props: LibraryBarProps) {
  const { t } = useTranslate()
  const { ticks, onAddMany, isAdding } = props
  const { ticked, clear } = ticks
  if (ticked.length === 0) return <AddAll {...props} />
  return (
    <div className={styles.libraryBar}>
      <Text size="sm" role="status">
        {t('playlists:ticked', { count: ticked.length })}
      </Text>
      <Button variant="default" onClick={clear}>
        {t('playlists:untick')}
      </Button>
      <Button
        disabled={isAdding}
        onClick={() => {
          onAddMany(ticked)
          clear()
        }}
      >
        {t('playlists:addTicked', { count: ticked.length })}
      </Button>
    </div>
  )
}

function AddAll({ type, search, total, isMore, onAddMany, isAdding }: LibraryBarProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const [isAsked, setIsAsked] = useState(false)
  const [loadedCount, setLoadedCount] = useState<number | null>(null)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const addAll = async () => {
    const control = new AbortController()
    abort.current = control
    setLoadedCount(0)
    try {
      onAddMany(await listAllMedia(type, search, { signal: control.signal, onProgress: setLoadedCount }))
    } catch (error) {
      if (!control.signal.aborted) toastFailure(error)
    } finally {
      if (!control.signal.aborted) setLoadedCount(null)
    }
  }
  const size = format.number(total)
  const label = isMore
    ? t('playlists:addAllMore')
    : search === ''
      ? t('playlists:addAll', { size })
      : t('playlists:addFound', { size })
  return (
    <div className={styles.libraryBar}>
      <Text size="sm" c="dimmed">
        {t('playlists:tickHint')}
      </Text>
      <Button
        variant="default"
        leftSection={<IconPlaylistAdd size={16} aria-hidden />}
        disabled={isAdding || loadedCount !== null}
        onClick={() => (total > manyTracks || isMore ? setIsAsked(true) : void addAll())}
      >
        {loadedCount === null ? label : t('playlists:readTracks', { count: loadedCount })}
      </Button>
      {isAsked && (
        <ConfirmDialog
          isOpen
          title={label}
          confirmLabel={t('playlists:addAllConfirm')}
          onConfirm={async () => void addAll()}
          onClose={() => setIsAsked(false)}
        >
          {isMore ? t('playlists:addAllManyText') : t('playlists:addAllText', { size })}
        </ConfirmDialog>
      )}
    </div>
  )
}
