import type { PlanKind } from '@floorcast/planner/plan-types.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { ActionIcon, Button, NumberInput, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { ListenButton } from '../../ui/listen-button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import {
  limits,
  listOf,
  withList,
  withWeight,
  withoutTrack,
  type DraftChange,
  type WizardDraft,
} from './wizard-draft.ts'
import styles from './wizard.module.css'

const pageSize = 15

interface ChosenPaneProps {
  kind: PlanKind
  draft: WizardDraft
  change: (change: DraftChange) => void
}

/** The chosen tracks, page by page; ads with their weights. */
export function SelectedPane({ kind, draft, change }: ChosenPaneProps) {
  const { t } = useTranslate()
  const tracks = listOf(draft, kind)
  const [wantedPage, setWantedPage] = useState(1)
  const page = Math.max(1, Math.min(wantedPage, Math.ceil(tracks.length / pageSize)))
  const shown = tracks.slice((page - 1) * pageSize, page * pageSize)
  return (
    <Panel
      title={t(`wizard:chosen.${kind}`)}
      end={
        tracks.length > 0 ? (
          <Button variant="default" onClick={() => change(withList(kind, []))}>
            {t('wizard:removeAll')}
          </Button>
        ) : undefined
      }
    >
      {tracks.length === 0 ? (
        <Text c="dimmed">{t(`wizard:noneChosen.${kind}`)}</Text>
      ) : (
        <>
          <div className={styles.rowHead} aria-hidden>
            <span className={styles.name}>{t('name')}</span>
            {kind === 'ad' && <span className={styles.weight}>{t('wizard:ads.weight')}</span>}
            <span>{t('playlists:length')}</span>
          </div>
          <ul className={styles.rows} aria-label={t(`wizard:chosen.${kind}`)}>
            {shown.map(track => (
              <ChosenRow
                key={track.uid}
                kind={kind}
                track={track}
                isVideo={draft.playlistType === 'video-smart'}
                change={change}
              />
            ))}
          </ul>
        </>
      )}
      <Pager
        label={t('wizard:chosenPages')}
        page={page}
        size={pageSize}
        total={tracks.length}
        onChange={setWantedPage}
      />
    </Panel>
  )
}

interface ChosenRowProps extends Pick<ChosenPaneProps, 'kind' | 'change'> {
  track: SmartTrack
  isVideo: boolean
}

function ChosenRow({ kind, track, isVideo, change }: ChosenRowProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { uid, name } = track
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        <bdi>{name}</bdi>
      </span>
      {kind === 'ad' && (
        <NumberInput
          size="xs"
          className={styles.weight ?? ''}
          aria-label={t('wizard:weightOf', { name })}
          {...limits.weight}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          error={track.weight < limits.weight.min || track.weight > limits.weight.max}
          value={track.weight || ''}
          onChange={value => change(withWeight(kind, uid, typeof value === 'number' ? value : 0))}
        />
      )}
      <span className={styles.figure}>{format.duration(track.duration)}</span>
      <ListenButton uid={uid} name={name} isVideo={isVideo} />
      <ActionIcon aria-label={t('wizard:remove', { name })} onClick={() => change(withoutTrack(kind, uid))}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </li>
  )
}
