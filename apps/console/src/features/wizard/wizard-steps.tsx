import type { PlanKind } from '@floorcast/planner/plan-types.ts'
import { Text, NumberInput, Button, Skeleton, Stack } from '@mantine/core'
import { IconArrowsShuffle } from '@tabler/icons-react'
import { useMemo, useContext } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { AdSeparation } from './ad-separation.tsx'
import { BlockSize } from './block-size.tsx'
import { SelectedPane } from './chosen-pane.tsx'
import { LibraryPane } from './library-pane.tsx'
import { RenderDayContext } from './render-day.ts'
import type { ShownDay } from './use-plan.ts'
import {
  listOf,
  mediaTypeOf,
  withTracks,
  withoutTrack,
  type DraftChange,
  type WizardDraft,
  secondsOf,
  timeOf,
  limits,
  emptySeconds,
} from './wizard-draft.ts'
import styles from './wizard.module.css'

interface TracksStepProps {
  kind: PlanKind
  draft: WizardDraft
  air: number | null
  change: (change: DraftChange) => void
}

/** The steps of ads and of background: the library beside the chosen tracks. */
export function TracksStep({ kind, draft, air, change }: TracksStepProps) {
  const { t } = useTranslate()
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
          {kind === 'ad' && <AdSeparation draft={draft} change={change} />}
          <ContentMeter kind={kind} draft={draft} air={air} />
        </Panel>
        <SelectedPane kind={kind} draft={draft} change={change} />
      </div>
    </div>
  )
}

interface ContentMeterProps {
  kind: PlanKind
  draft: WizardDraft
  /** Air time of the kind, in seconds; null until it is known. */
  air: number | null
}

/** Length of the chosen tracks beside that of one block and the air time of the day. */
function ContentMeter({ kind, draft, air }: ContentMeterProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const tracks = listOf(draft, kind)
  const content = useMemo(() => secondsOf(tracks), [tracks])
  const block = timeOf(draft, kind)
  const isBeyond = air !== null && content > air
  return (
    <div className={styles.meter}>
      <Text fw={600} className="fc-figures" role="status">
        {t(`wizard:content.${kind}`, { count: tracks.length, time: format.span(content) })}
      </Text>
      <div className={styles.gauge} aria-hidden data-beyond={isBeyond || undefined}>
        <span style={{ inlineSize: `${Math.min(100, air ? (content / air) * 100 : 0)}%` }} />
      </div>
      <Text size="sm" c="dimmed" className="fc-figures">
        {air === null
          ? t('wizard:needsBlock', { block: format.span(block) })
          : air === 0
            ? t(`wizard:noRoom.${kind}`)
            : t('wizard:needs', { block: format.span(block), air: format.span(air) })}
      </Text>
    </div>
  )
}

interface CrossfadeProps {
  draft: WizardDraft
  change: (change: DraftChange) => void
}

function Crossfade({ draft, change }: CrossfadeProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { crossfade, melList } = draft
  const isEmpty = crossfade === emptySeconds
  // The planner's rule: never three tracks at once.
  const maxSeconds = melList.reduce((min, { duration }) => Math.min(min, duration / 2), Infinity)
  return (
    <>
      <NumberInput
        mt="md"
        maw={240}
        label={t('playlists:crossfadeSeconds')}
        description={t('playlists:crossfadeHint')}
        {...limits.crossfade}
        step={0.5}
        decimalScale={1}
        allowNegative={false}
        clampBehavior="none"
        error={isEmpty || crossfade > limits.crossfade.max}
        value={isEmpty ? '' : crossfade}
        onChange={value => {
          const wanted = typeof value === 'number' ? value : emptySeconds
          if (wanted !== crossfade) change(now => ({ ...now, crossfade: wanted }))
        }}
      />
      {crossfade > maxSeconds && (
        <Text size="sm" c="dimmed" mt={4} role="status">
          {t('wizard:crossfadeLess', { seconds: format.number(maxSeconds, 1) })}
        </Text>
      )}
    </>
  )
}

interface CheckStepProps {
  draft: WizardDraft
  shown: ShownDay | null
  /** The draft has refusals: no day will come. */
  isRefused: boolean
  change: (change: DraftChange) => void
}

/** The last step: block sizes, and the day planned from them. The foot asks for the name. */
export function CheckStep({ draft, shown, isRefused, change }: CheckStepProps) {
  const { t } = useTranslate()
  const renderDay = useContext(RenderDayContext)
  return (
    <Stack gap="md">
      <Panel
        title={t('wizard:size.title')}
        end={
          <Button
            variant="default"
            leftSection={<IconArrowsShuffle size={16} aria-hidden />}
            onClick={() => change(now => ({ ...now, seed: now.seed + 1 }))}
          >
            {t('wizard:shuffle')}
          </Button>
        }
      >
        <div className={styles.sizes}>
          {(['ad', 'melody'] as const).map(kind => (
            <div key={kind}>
              <Text className={styles.sizeLabel}>{t(`wizard:size.${kind}`)}</Text>
              <BlockSize kind={kind} draft={draft} change={change} />
            </div>
          ))}
        </div>
      </Panel>
      {shown &&
        renderDay({
          ...shown,
          isVideo: draft.playlistType === 'video-smart',
          minAdGap: Math.max(0, draft.minAdGap),
        })}
      {!shown && !isRefused && <Skeleton height={200} aria-busy />}
    </Stack>
  )
}

export { HoursStep } from './hours-step.tsx'
