import type { ImportFault } from '@floorcast/contract/outcomes.ts'
import { Alert, Button, List } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Refusal } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { FailureText } from '../../ui/failure-text.tsx'
import { mediaTypeOf, withCurrentMedia, type DraftChange, type WizardDraft } from './wizard-draft.ts'
import { listAllTracks } from './wizard-library.ts'

const maxListed = 10
const mediaFaults = ['media-unknown', 'media-in-bin', 'media-wrong-kind', 'media-duration-changed'] as const
type MediaFault = (typeof mediaFaults)[number]

const isMediaFault = (code: string): code is MediaFault => mediaFaults.some(known => known === code)

interface ImportRefusedProps {
  failure: unknown
  draft: WizardDraft
  change: (change: DraftChange) => void
  onUpdated: () => void
}

/** The reason why the server refused the playlist; a button updates the lists from the library. */
export function ImportRefused({ failure, draft, change, onUpdated }: ImportRefusedProps) {
  const { t } = useTranslate()
  const [isBusy, setIsBusy] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  const faults = failure instanceof Refusal ? (failure.outcome.faults ?? []) : []
  const media = byMedia(faults)
  const nameOf = ({ uid, name }: ImportFault) =>
    name ?? [...draft.adsList, ...draft.melList].find(track => track.uid === uid)?.name ?? t('unknown')
  const update = async () => {
    setIsBusy(true)
    try {
      for (const kind of ['ad', 'melody'] as const) {
        const { signal } = new AbortController()
        change(
          withCurrentMedia(kind, await listAllTracks(mediaTypeOf(draft.playlistType, kind), '', { signal })),
        )
      }
      onUpdated()
    } catch (error) {
      toastFailure(error)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Alert ref={box} tabIndex={-1} color="red" role="alert">
      <FailureText error={failure} subject="playlist" />
      {media.length > 0 && (
        <>
          <List size="sm" mt="xs">
            {media.slice(0, maxListed).map(fault => (
              <List.Item key={fault.uid}>
                {t(`wizard:faults.${fault.code}`, { name: nameOf(fault) })}
              </List.Item>
            ))}
            {media.length > maxListed && (
              <List.Item>{t('wizard:more', { count: media.length - maxListed })}</List.Item>
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

/** Faults of media, one for each item: a removed item is missing in its list and in every block. */
function byMedia(faults: readonly ImportFault[]): (ImportFault & { code: MediaFault })[] {
  const found = new Map<string, ImportFault & { code: MediaFault }>()
  for (const fault of faults) {
    const { code, uid } = fault
    if (uid !== undefined && isMediaFault(code)) found.set(uid, { ...fault, code })
  }
  return [...found.values()]
}
