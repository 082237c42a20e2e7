import type { PackageRow } from '@floorcast/contract/update-packages.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { DropFiles } from '../../ui/upload/drop-files.tsx'
import { PackageChoice } from './update-choices.tsx'
import { UploadLine } from './upload-line.tsx'
import { useUpdateUpload } from './use-update-upload.ts'
import { updateQueries } from './updates-data.ts'

interface UploadFormProps {
  /** The draft that gets the files; without it the form asks for one. */
  draft?: PackageRow
  onClose: () => void
}

/** Uploads files into a draft package. A FILE.sig that is chosen with its FILE is its signature. */
export function UploadForm({ draft, onClose }: UploadFormProps) {
  const { t } = useTranslate()
  const [packageUid, setPackageUid] = useState(draft?.uid ?? '')
  const { data: key } = useQuery(updateQueries.key())
  const needsSignature = key?.publicKey != null
  const upload = useUpdateUpload()
  const { lines, isBusy } = upload
  const isReady =
    packageUid !== '' && lines.length > 0 && lines.every(line => !upload.faultOf(line, needsSignature))
  const send = async () => {
    const count = await upload.send(packageUid)
    if (count === null) return
    void toast('success', t('updates:file.uploaded', { count }))
    onClose()
  }
  return (
    <Modal
      opened
      onClose={isBusy ? () => undefined : onClose}
      title={t('updates:file.upload')}
      size="lg"
      withCloseButton={!isBusy}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        {!draft && <PackageChoice state="draft" data-autofocus value={packageUid} onChange={setPackageUid} />}
        <Text size="sm" c="dimmed">
          {t(needsSignature ? 'updates:file.signedHint' : 'updates:file.unsignedHint')}
        </Text>
        <Group>
          <DropFiles
            accept=""
            label={t('updates:file.choose')}
            dropText={t('updates:file.drop')}
            onFiles={files => void upload.add(files)}
            isMinor={lines.length > 0}
          />
        </Group>
        {lines.length > 0 && <Lines upload={upload} needsSignature={needsSignature} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={isBusy ? upload.stop : onClose}>
            {t('cancel')}
          </Button>
          <Button disabled={!isReady} loading={isBusy} onClick={() => void send()}>
            {t('updates:file.send')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface LinesProps {
  upload: ReturnType<typeof useUpdateUpload>
  needsSignature: boolean
}

function Lines({ upload, needsSignature }: LinesProps) {
  const { t } = useTranslate()
  return (
    <Stack gap="sm" component="ul" m={0} p={0} aria-label={t('updates:fields.files')}>
      {upload.lines.map(line => (
        <UploadLine
          key={line.file.name}
          line={line}
          fault={upload.faultOf(line, needsSignature)}
          sign={signature => upload.sign(line, signature)}
          remove={upload.isBusy ? null : () => upload.remove(line)}
        />
      ))}
    </Stack>
  )
}
