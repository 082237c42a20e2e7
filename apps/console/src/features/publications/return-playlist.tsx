import type { PublicationCard } from '@floorcast/contract/publications.ts'
import { Anchor, Button, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { sentenceGap } from '../../platform/sentences.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useReturnPublicationPlaylist } from './publications-data.ts'

/** The way back to what the group played before the last replace. */
export function ReturnPlaylist({ publication }: { publication: PublicationCard }) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  const { mutateAsync } = useReturnPublicationPlaylist()
  const [isAsked, setIsAsked] = useState(false)
  const { uid, state, group, playlist, formerPlaylist } = publication
  if (!mayChange || state === 'disabled' || formerPlaylist === null) return null
  const { name } = formerPlaylist
  const goBack = async () => {
    await mutateAsync({ uid, from: playlist.uid })
    void toast('success', t('publications:return.done', { name }))
  }
  const texts = { group: group.name, playlist: playlist.name, name }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={16} aria-hidden className="fc-points" />}
        onClick={() => setIsAsked(true)}
      >
        {t('publications:return.button', { name })}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title={t('publications:return.title', { name })}
        confirmLabel={t('publications:return.confirm')}
        onConfirm={goBack}
        onClose={() => setIsAsked(false)}
      >
        {t(state === 'delayed' ? 'publications:return.delayed' : 'publications:return.active', texts)}
        {formerPlaylist.state === 'paused' && (
          <Text mt="xs">
            {t('publications:return.paused', { name })}
            {sentenceGap()}
            <Anchor component={Link} to={paths.playlist(formerPlaylist.uid)} inherit td="underline">
              {t('publications:fixes.playlist', { name })}
            </Anchor>
          </Text>
        )}
      </ConfirmDialog>
    </>
  )
}
