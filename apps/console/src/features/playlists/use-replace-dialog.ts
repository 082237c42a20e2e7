import type { PublicationRow } from '@floorcast/contract/publications.ts'
import type { PlaylistCard } from '@floorcast/contract/playlists.ts'
import { useState } from 'react'
import { useWords } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { type Unchanged, useReplace } from './replace-data.ts'

interface Replacing {
  playlist: Pick<PlaylistCard, 'uid' | 'name' | 'state'>
  former: { name: string }
  onClose: () => void
}

/** Replaces, tells of it with a way back, and keeps what failed. */
export function useReplaceDialog({ playlist, former, onClose }: Replacing) {
  const { t } = useWords()
  const { replace, goBack } = useReplace()
  const [failure, fail] = useState<unknown>(null)
  const [failed, keepFailed] = useState<readonly Unchanged[]>([])
  const [isBusy, setBusy] = useState(false)
  const undo = async (publications: readonly PublicationRow[]) => {
    const { done, failed: kept } = await goBack(playlist.uid, publications)
    if (done.length > 0)
      void toast('success', t('playlists:replace.undone', { count: done.length, name: former.name }))
    for (const { publication, error } of kept) {
      const why = describeFailure(t, error, 'publication')
      void toast('danger', t('playlists:replace.failed', { name: publication.name, why }))
    }
  }
  const tell = (done: readonly PublicationRow[]) => {
    const run = () => void undo(done)
    const action = { label: t('undo'), run }
    void toast('success', t('playlists:replace.done', { count: done.length, name: playlist.name }), {
      action,
    })
  }
  const run = async (publications: readonly PublicationRow[]) => {
    setBusy(true)
    fail(null)
    keepFailed([])
    try {
      const changed = await replace(playlist, publications)
      if (changed.done.length > 0) tell(changed.done)
      if (changed.failed.length === 0) return onClose()
      keepFailed(changed.failed)
    } catch (error) {
      fail(error)
    } finally {
      setBusy(false)
    }
  }
  return { failure, failed, isBusy, replace: run }
}
