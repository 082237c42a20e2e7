import { Alert, Button, FileButton, Group, List, Stack, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { Refusal } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeOutcome } from '../../platform/outcomes.ts'
import { FailureText } from '../../ui/failure-text.tsx'
import { paths } from '../../platform/paths.ts'
import { toast } from '../../platform/toasts.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { usePlaylistImport, WrongPlaylistFile } from './playlist-files.ts'
import styles from './playlists.module.css'

/** Makes a playlist of a file, and opens it. */
export function PlaylistImport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { mutate, isPending, error } = usePlaylistImport()
  const forget = useRef<() => void>(null)
  const send = (file: File | null) => {
    if (!file) return
    // Else the browser does not tell when the same file is chosen again, corrected.
    forget.current?.()
    mutate(file, {
      onSuccess: (outcome, isShown) => {
        const { uid, reason } = outcome
        void toast('success', t('playlists:import.done', { name: file.name }))
        if (reason) void toast('warning', describeOutcome(t, outcome))
        if (!isShown) return
        onClose()
        if (uid) void navigate(paths.playlist(uid))
      },
    })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('playlists:import.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <Text size="sm">{t('playlists:import.text')}</Text>
        {error !== null && !isPending && <Refused error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <FileButton accept=".m3u,.m3u8,.json" resetRef={forget} onChange={send}>
            {props => (
              <Button
                {...props}
                data-autofocus
                loading={isPending}
                leftSection={<IconFileImport size={16} aria-hidden />}
              >
                {t('playlists:import.choose')}
              </Button>
            )}
          </FileButton>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Why a file made no playlist, with everything that is missing. */
function Refused({ error }: { error: unknown }) {
  const { t } = useTranslate()
  if (error instanceof WrongPlaylistFile)
    return (
      <Alert color="red" role="alert">
        {t(`playlists:import.${error.fault}`)}
      </Alert>
    )
  const { code, names = [], faults = [], reason } = error instanceof Refusal ? error.outcome : { code: 0 }
  const isMissing = code === 912
  const listed = isMissing ? names : [...new Set(faults.map(({ name, path }) => name ?? path))]
  return (
    <Alert
      color="red"
      role="alert"
      title={isMissing ? t('playlists:import.missing', { count: names.length }) : undefined}
    >
      {(!isMissing || reason) && <FailureText error={error} subject="playlist" />}
      {listed.length > 0 && (
        <List size="sm" className={styles.missing}>
          {listed.map(name => (
            <List.Item key={name}>
              <bdi>{name}</bdi>
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}
