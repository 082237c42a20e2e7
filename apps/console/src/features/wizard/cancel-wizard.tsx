import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import type { DraftControl } from './use-saved-draft.ts'
import { differsFrom, type WizardDraft } from './wizard-draft.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'

interface CancelWizardProps extends Pick<DraftControl, 'draft' | 'isSaved' | 'discard'> {
  initial: WizardDraft
  /** The playlist on the air that the new one replaces; null for none. */
  editOf: string | null
}

/** Leaves the wizard. Asks whether to keep a draft that holds something. */
export function CancelWizard({ draft, initial, isSaved, discard, editOf }: CancelWizardProps) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const playlist = initial.smartPlUid ?? editOf
  const leave = () => void navigate(playlist === null ? paths.playlists : paths.playlist(playlist))
  const drop = () => {
    discard()
    leave()
  }
  const stay = () => setIsAsking(false)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        onClick={() => (differsFrom(draft, initial) ? setIsAsking(true) : drop())}
      >
        {t('cancel')}
      </Button>
      <Modal
        opened={isAsking}
        onClose={stay}
        title={t('wizard:cancel.title')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Stack gap="md">
          <Text>{t(isSaved ? 'wizard:cancel.text' : 'wizard:cancel.notSaved')}</Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={stay} data-autofocus={!isSaved || undefined}>
              {t('unsaved.stay')}
            </Button>
            <Button color="red" variant={isSaved ? 'light' : 'filled'} onClick={drop}>
              {t('wizard:cancel.discard')}
            </Button>
            {isSaved && (
              <Button onClick={leave} data-autofocus>
                {t('wizard:cancel.keep')}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
