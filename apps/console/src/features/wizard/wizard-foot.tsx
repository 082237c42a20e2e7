import { Button, Group, Progress, Text } from '@mantine/core'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { FinishControl } from './use-finish.ts'
import type { StepControl } from './use-steps.ts'
import { holdsTracks, steps, withType, type DraftChange, type WizardDraft } from './wizard-draft.ts'
import styles from './wizard.module.css'

interface WizardFootProps {
  draft: WizardDraft
  change: (change: DraftChange) => void
  way: StepControl
  end: FinishControl
  startOver: () => void
}

type Asked = 'type' | 'over'

/** Previous, next, finish; and the ways to begin anew, which ask before they throw something away. */
export function WizardFoot({ draft, change, way, end, startOver }: WizardFootProps) {
  const { t } = useWords()
  const [asked, ask] = useState<Asked | null>(null)
  const other = draft.playlistType === 'audio-smart' ? 'video' : 'audio'
  const run = (what: Asked) => (what === 'over' ? startOver() : change(withType(`${other}-smart`)))
  const begin = (what: Asked) => (holdsTracks(draft) ? ask(what) : run(what))
  return (
    <footer className={styles.foot}>
      {end.progress === null && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t('wizard:typeIs', { type: t(`kinds.${other === 'video' ? 'audio' : 'video'}`) })}
          </Text>
          <Button variant="subtle" color="gray" onClick={() => begin('over')}>
            {t('wizard:startOver')}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => begin('type')}>
            {t(`wizard:changeTo.${other}`)}
          </Button>
        </Group>
      )}
      {end.progress === null ? <Buttons draft={draft} way={way} end={end} /> : <Sending end={end} />}
      {asked && (
        <ConfirmDialog
          isOpen
          title={t(asked === 'over' ? 'wizard:ask.overTitle' : 'wizard:ask.typeTitle')}
          confirmLabel={t(asked === 'over' ? 'wizard:startOver' : `wizard:changeTo.${other}`)}
          isDanger
          onConfirm={async () => run(asked)}
          onClose={() => ask(null)}
        >
          {t('wizard:ask.text', { count: draft.adsList.length + draft.melList.length })}
        </ConfirmDialog>
      )}
    </footer>
  )
}

function Buttons({ draft, way, end }: Pick<WizardFootProps, 'draft' | 'way' | 'end'>) {
  const { t } = useWords()
  const at = draft.step === null ? 0 : steps.indexOf(draft.step)
  const [previous, next] = [steps[at - 1], steps[at + 1]]
  return (
    <Group gap="xs">
      {previous && (
        <Button variant="default" onClick={() => void way.go(previous)}>
          {t('wizard:previous')}
        </Button>
      )}
      {next ? (
        <Button onClick={() => void way.go(next)}>{t('wizard:next')}</Button>
      ) : (
        <Button onClick={() => void end.finish()}>{t('wizard:finish')}</Button>
      )}
    </Group>
  )
}

/** How much of the draft is on its way. */
function Sending({ end }: Pick<WizardFootProps, 'end'>) {
  const { t } = useWords()
  const format = useFormat()
  const share = end.progress ?? 0
  return (
    <>
      <div className={styles.sending}>
        <Progress value={share * 100} aria-label={t('wizard:sending')} />
        <Text size="sm" c="dimmed" className="fc-figures">
          {share < 1 ? t('wizard:sendingShare', { share: format.percent(share) }) : t('wizard:creating')}
        </Text>
      </div>
      {share < 1 && (
        <Button variant="default" onClick={end.cancel}>
          {t('cancel')}
        </Button>
      )}
    </>
  )
}
