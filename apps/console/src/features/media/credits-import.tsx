import { CallError } from '@floorcast/contract/client.ts'
import { MAX_CREDIT_ROWS } from '@floorcast/contract/media-credit-calls.ts'
import { creditFields } from '@floorcast/contract/media-credits.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import { Alert, Button, FileButton, Group, Loader, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { decodeText } from '../../platform/decode-text.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { useMarkStale } from '../../platform/use-change.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { CreditChanges, CreditFaults, type CreditFault } from './credits-preview.tsx'
import { sendCredits, type CreditsPreview } from './media-data.ts'
import { isCreditColumn, readCredits, type CreditFile, type CreditHeadings } from './read-credits.ts'

type Rows = Extract<CreditFile, { rows: unknown }>

/** The state of the chosen file. */
type Import =
  | { state: 'none' | 'checking' }
  | { state: 'wrong-file'; reason: 'unreadable' | Extract<CreditFile, { fault: string }>['fault'] }
  | { state: 'refused'; faults: readonly CreditFault[] }
  | { state: 'failed'; error: unknown }
  | { state: 'ready' | 'saving'; file: Rows; preview: CreditsPreview }

const headingsOf = (t: Translate): CreditHeadings => ({
  uid: ['uid'],
  artist: ['artist', t('media:credits.artist').toLowerCase()],
  title: ['title', t('media:credits.title').toLowerCase()],
  isrc: ['isrc', t('media:credits.isrc').toLowerCase()],
  composer: ['composer', t('media:credits.composer').toLowerCase()],
  publisher: ['publisher', t('media:credits.publisher').toLowerCase()],
})

const ROW_PATH = /^rows\.(\d+)(?:\.(\w+))?/

/** The faults that the server found, by line. */
function faultsOf(error: unknown, { lines }: Rows): CreditFault[] {
  const errors = error instanceof CallError && error.status === 422 ? (error.problem?.errors ?? []) : []
  return errors.flatMap(({ path, message }) => {
    const [, index = '', field = ''] = ROW_PATH.exec(path) ?? []
    const line = lines[Number(index)]
    if (index === '' || line === undefined) return []
    return [{ line, column: isCreditColumn(field) ? field : 'uid', message }]
  })
}

/** Reads a file, has the server check it, and changes the items. */
function useCreditsImport(contentType: MediaType, onDone: () => void) {
  const { t } = useTranslate()
  const [found, setFound] = useState<Import>({ state: 'none' })
  const markStale = useMarkStale('media')

  const fail = (error: unknown, file: Rows) => {
    const faults = faultsOf(error, file)
    setFound(faults.length > 0 ? { state: 'refused', faults } : { state: 'failed', error })
  }
  const check = async (chosen: File) => {
    setFound({ state: 'checking' })
    const text = decodeText(await chosen.arrayBuffer())
    if (text === null) return setFound({ state: 'wrong-file', reason: 'unreadable' })
    const file = readCredits(text, headingsOf(t))
    if ('fault' in file) return setFound({ state: 'wrong-file', reason: file.fault })
    try {
      const preview = await sendCredits(contentType, { rows: file.rows, isPreview: true })
      setFound({ state: 'ready', file, preview })
    } catch (error) {
      fail(error, file)
    }
  }
  const save = async (file: Rows, preview: CreditsPreview) => {
    setFound({ state: 'saving', file, preview })
    try {
      const { changed = 0 } = await sendCredits(contentType, { rows: file.rows })
      void toast('success', t('media:credits.changed', { count: changed }))
      void markStale()
      onDone()
    } catch (error) {
      fail(error, file)
    }
  }
  return {
    found,
    check: (chosen: File) =>
      void check(chosen).catch(() => setFound({ state: 'wrong-file', reason: 'unreadable' })),
    save: (file: Rows, preview: CreditsPreview) => void save(file, preview),
  }
}

/** A dialog that changes the credits of many items by a csv file, after a preview. */
export function CreditsImport({ contentType, onClose }: { contentType: MediaType; onClose: () => void }) {
  const { t } = useTranslate()
  const { found, check, save } = useCreditsImport(contentType, onClose)
  const isSaving = found.state === 'saving'
  const isReady = found.state === 'ready' || isSaving
  const changed = isReady ? (found.preview.changed ?? 0) : 0
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('media:credits.importTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <Text c="dimmed" size="sm">
          {t('media:credits.importHint')}
        </Text>
        <div aria-live="polite">
          <ImportState found={found} />
        </div>
        <Group justify="flex-end" gap="xs">
          <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={file => file && check(file)}>
            {props => (
              <Button
                {...props}
                variant={changed > 0 ? 'default' : 'filled'}
                disabled={isSaving}
                leftSection={<IconUpload size={16} aria-hidden />}
              >
                {t('media:credits.choose')}
              </Button>
            )}
          </FileButton>
          {isReady && changed > 0 && (
            <Button loading={isSaving} onClick={() => save(found.file, found.preview)}>
              {t('media:credits.change', { count: changed })}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

function ImportState({ found }: { found: Import }) {
  const { t } = useTranslate()
  const format = useFormat()
  if (found.state === 'checking') return <Loader size="sm" aria-label={t('media:credits.checking')} />
  if (found.state === 'wrong-file')
    return (
      <Alert color="red" role="alert">
        {t(`media:credits.wrongFile.${found.reason}`, {
          columns: ['uid', ...creditFields].join(', '),
          rows: format.number(MAX_CREDIT_ROWS),
        })}
      </Alert>
    )
  if (found.state === 'failed')
    return (
      <Alert color="red" role="alert">
        {describeFailure(t, found.error)}
      </Alert>
    )
  if (found.state === 'refused') return <CreditFaults faults={found.faults} />
  if (!('preview' in found)) return null
  return <CreditChanges preview={found.preview} lines={found.file.lines} />
}
