import { Alert, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { IconFileCertificate } from '@tabler/icons-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { checkProof, type CheckedProof, CheckError, type CheckFailure } from './proof-data.ts'
import { ProofResult } from './proof-result.tsx'
import styles from './proof.module.css'

type State =
  | { name: 'idle' }
  | { name: 'checking'; fileName: string; part: number }
  | { name: 'checked'; fileName: string; proof: CheckedProof }
  | { name: 'failed'; failure: CheckFailure }

/** Checks one file at a time; another one, or leaving the page, ends the check. */
function useCheck() {
  const [state, setState] = useState<State>({ name: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const cancel = () => {
    running.current?.abort()
    setState({ name: 'idle' })
  }
  const check = async (file: File) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const show = (next: State) => {
      if (!controller.signal.aborted) setState(next)
    }
    show({ name: 'checking', fileName: file.name, part: 0 })
    const onProgress = (part: number) => show({ name: 'checking', fileName: file.name, part })
    try {
      const proof = await checkProof(file, { onProgress, signal: controller.signal })
      show({ name: 'checked', fileName: file.name, proof })
    } catch (error) {
      show({ name: 'failed', failure: error instanceof CheckError ? error.failure : 'unreadable' })
    }
  }
  return { state, check, cancel }
}

/** Takes the file of a signed proof of play and shows whether one byte was changed. Nothing is uploaded. */
export function ProofVerifier() {
  const { t } = useTranslate()
  const { state, check, cancel } = useCheck()
  return (
    <Stack gap="md">
      <Text c="dimmed">{t('proof:verify.text')}</Text>
      <DropZone isBusy={state.name === 'checking'} take={file => void check(file)} />
      <div aria-live="polite" aria-busy={state.name === 'checking'}>
        {state.name === 'checking' && (
          <Stack gap="xs">
            <Text size="sm">{t('proof:verify.checking', { name: state.fileName })}</Text>
            <Progress value={state.part * 100} aria-label={t('proof:verify.progress')} />
            <Group justify="flex-end">
              <Button variant="default" size="xs" onClick={cancel}>
                {t('cancel')}
              </Button>
            </Group>
          </Stack>
        )}
        {state.name === 'failed' && (
          <Alert color="red" title={t('proof:verify.notChecked')}>
            {t(`proof:failures.${state.failure}`)}
          </Alert>
        )}
        {state.name === 'checked' && <ProofResult fileName={state.fileName} proof={state.proof} />}
      </div>
    </Stack>
  )
}

function DropZone({ isBusy, take }: { isBusy: boolean; take: (file: File) => void }) {
  const { t } = useTranslate()
  const [isOver, setIsOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const [file] = event.dataTransfer.files
    if (file) take(file)
  }
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={event => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <IconFileCertificate size={36} stroke={1.25} aria-hidden />
      <Text size="sm">{t('proof:verify.drop')}</Text>
      <FileButton onChange={file => file && take(file)} accept=".zip,application/zip">
        {props => (
          <Button {...props} variant={isBusy ? 'default' : 'filled'}>
            {t('proof:verify.choose')}
          </Button>
        )}
      </FileButton>
    </div>
  )
}
