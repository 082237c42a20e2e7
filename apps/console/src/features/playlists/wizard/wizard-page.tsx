import { Alert } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { useWords } from '../../../platform/i18n.ts'
import { useMayChange, useSignedInUser } from '../../../platform/session.ts'
import { Replan } from './replan.tsx'
import { Wizard } from './wizard.tsx'
import { emptyDraft } from './wizard-draft.ts'
import { draftKey } from './wizard-memory.ts'

/** /media/wizard: a new smart playlist, or with ?from= one that is planned again. */
export function WizardPage() {
  const { t } = useWords()
  const { uid } = useSignedInUser()
  const [address] = useSearchParams()
  const mayChange = useMayChange()
  const from = address.get('from')
  if (!mayChange) return <Alert color="amber">{t('problems:rights')}</Alert>
  if (from !== null) return <Replan key={from} playlist={from} user={uid} />
  return <Wizard initial={emptyDraft} memory={draftKey(uid, null)} />
}
