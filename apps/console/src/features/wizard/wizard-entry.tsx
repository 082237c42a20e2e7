import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { useWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange, useSignedInUser } from '../../platform/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { EditSmart, Replan } from './replan.tsx'
import { emptyDraft } from './wizard-draft.ts'
import { draftKey } from './wizard-memory.ts'
import { Wizard } from './wizard.tsx'

/** /media/wizard: a new smart playlist, with ?from= one that is planned again, with ?edit= the edited version of one. */
export function WizardEntry() {
  const { uid } = useSignedInUser()
  const [address] = useSearchParams()
  const mayChange = useMayChange()
  const [from, edit] = [address.get('from'), address.get('edit')]
  if (!mayChange) return <OnlyRead />
  if (from !== null) return <Replan key={from} playlist={from} user={uid} />
  if (edit !== null) return <EditSmart key={edit} playlist={edit} user={uid} />
  return <Wizard initial={emptyDraft} memory={draftKey(uid, null)} />
}

/** Who may not change anything is told before the first step, not after the last. */
function OnlyRead() {
  const { t } = useWords()
  return (
    <EmptyState
      icon={IconEye}
      title={t('wizard:onlyRead.title')}
      text={t('wizard:onlyRead.text')}
      action={
        <Button component={Link} to={paths.playlists} variant="default">
          {t('routes:playlists')}
        </Button>
      }
    />
  )
}
