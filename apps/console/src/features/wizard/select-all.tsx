import type { MediaType } from '@floorcast/contract/media.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { Button } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { gatherTracks } from './wizard-library.ts'

interface SelectAllProps {
  type: MediaType
  search: string
  total: number
  isMore: boolean
  onAdd: (tracks: readonly SmartTrack[]) => void
}

/** Chooses every track that matches, read from the server some pages at a time. */
export function SelectAll({ type, search, total, isMore, onAdd }: SelectAllProps) {
  const { t } = useWords()
  const format = useFormat()
  const [gathered, count] = useState<number | null>(null)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [type])
  const gather = async () => {
    const control = new AbortController()
    stop.current = control
    count(0)
    try {
      const tracks = await gatherTracks(type, search, { signal: control.signal, onProgress: count })
      onAdd(tracks)
    } catch (error) {
      if (!control.signal.aborted) toastFailure(error)
    } finally {
      if (!control.signal.aborted) count(null)
    }
  }
  const size = format.number(total)
  return (
    <Button
      variant="default"
      leftSection={<IconChecks size={16} aria-hidden />}
      disabled={gathered !== null}
      onClick={() => void gather()}
    >
      {gathered !== null
        ? t('wizard:gathering', { count: gathered })
        : isMore
          ? t('wizard:selectAllMore')
          : search === ''
            ? t('wizard:selectAll', { size })
            : t('wizard:selectFound', { size })}
    </Button>
  )
}
