import type { ImportFault } from '@floorcast/contract/outcomes.ts'
import { Alert, Button, List } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Refusal } from '../../platform/client.ts'
import { useWords } from '../../platform/i18n.ts'
import { describeFailure, toastFailure } from '../../platform/outcomes.ts'
import { mediaTypeOf, withLibrary, type DraftChange, type WizardDraft } from './wizard-draft.ts'
import { gatherTracks } from './wizard-library.ts'

const faultsSaid = 10
const mediaFaults = ['media-unknown', 'media-in-bin', 'media-wrong-kind', 'media-duration-changed'] as const
type MediaFault = (typeof mediaFaults)[number]

const isMediaFault = (code: string): code is MediaFault => mediaFaults.some(known => known === code)

interface ImportRefusedProps {
  failure: unknown
  draft: WizardDraft
  change: (change: DraftChange) => void
  onMended: () => void
}

/** Why the server did not take the playlist; what has changed in the library since is brought up to date here. */
export function ImportRefused({ failure, draft, change, onMended }: ImportRefusedProps) {
  const { t } = useWords()
  const [isBusy, setBusy] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  // It stands at the head of a long page, whose foot was pressed.
  useEffect(() => box.current?.focus(), [])
  const faults = failure instanceof Refusal ? (failure.outcome.faults ?? []) : []
  const media = byMedia(faults)
  const nameOf = ({ uid, name }: ImportFault) =>
    name ?? [...draft.adsList, ...draft.melList].find(track => track.uid === uid)?.name ?? t('unknown')
  const update = async () => {
    setBusy(true)
    try {
      for (const kind of ['ad', 'melody'] as const) {
        const { signal } = new AbortController()
        change(withLibrary(kind, await gatherTracks(mediaTypeOf(draft.playlistType, kind), '', { signal })))
      }
      onMended()
    } catch (error) {
      toastFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Alert ref={box} tabIndex={-1} color="red" role="alert">
      {describeFailure(t, failure, 'playlist')}
      {media.length > 0 && (
        <>
          <List size="sm" mt="xs">
            {media.slice(0, faultsSaid).map(fault => (
              <List.Item key={fault.uid}>
                {t(`wizard:faults.${fault.code}`, { name: nameOf(fault) })}
              </List.Item>
            ))}
            {media.length > faultsSaid && (
              <List.Item>{t('wizard:more', { count: media.length - faultsSaid })}</List.Item>
            )}
          </List>
          <Button mt="sm" variant="default" loading={isBusy} onClick={() => void update()}>
            {t('wizard:updateLists')}
          </Button>
        </>
      )}
    </Alert>
  )
}

/** The faults of media, each item once: one that left is missed in its list and in every block. */
function byMedia(faults: readonly ImportFault[]): (ImportFault & { code: MediaFault })[] {
  const found = new Map<string, ImportFault & { code: MediaFault }>()
  for (const fault of faults) {
    const { code, uid } = fault
    if (uid !== undefined && isMediaFault(code)) found.set(uid, { ...fault, code })
  }
  return [...found.values()]
}
