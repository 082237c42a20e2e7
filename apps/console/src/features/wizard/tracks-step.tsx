import type { PlanKind } from '@floorcast/planner/plan-types.ts'
import { useMemo } from 'react'
import { useWords } from '../../platform/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { BlockSize } from './block-size.tsx'
import { ChosenPane } from './chosen-pane.tsx'
import { ContentMeter } from './content-meter.tsx'
import { Crossfade } from './crossfade.tsx'
import { LibraryPane } from './library-pane.tsx'
import {
  listOf,
  mediaTypeOf,
  withTracks,
  withoutTrack,
  type DraftChange,
  type WizardDraft,
} from './wizard-draft.ts'
import styles from './wizard.module.css'

interface TracksStepProps {
  kind: PlanKind
  draft: WizardDraft
  air: number | null
  change: (change: DraftChange) => void
}

/** Ad selection and background selection: the library beside what was chosen from it. */
export function TracksStep({ kind, draft, air, change }: TracksStepProps) {
  const { t } = useWords()
  const tracks = listOf(draft, kind)
  const chosen = useMemo(() => new Set(tracks.map(({ uid }) => uid)), [tracks])
  return (
    <div className={styles.panes}>
      <LibraryPane
        type={mediaTypeOf(draft.playlistType, kind)}
        chosen={chosen}
        onAdd={added => change(withTracks(kind, added))}
        onRemove={uid => change(withoutTrack(kind, uid))}
      />
      <div className={styles.side}>
        <Panel title={t(`wizard:size.${kind}`)}>
          <BlockSize kind={kind} draft={draft} change={change} />
          {kind === 'melody' && <Crossfade draft={draft} change={change} />}
          <ContentMeter kind={kind} draft={draft} air={air} />
        </Panel>
        <ChosenPane kind={kind} draft={draft} change={change} />
      </div>
    </div>
  )
}
