import type { PackageCard, PackageFile } from '@floorcast/contract/update-packages.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconFilePlus, IconFileUpload, IconUnlink } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { useMayChange } from '../../platform/session.ts'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { HashCell } from './hash-cell.tsx'
import { SignatureBadge } from './update-badges.tsx'
import { ConfirmUpdate, ShareFile, UploadForm } from './update-dialogs.ts'
import type { UpdateRequest } from './update-requests.ts'
import { useExcludeFile } from './updates-data.ts'

/** The files of a package. Only those of a draft change. */
export function PackageFiles({ card }: { card: PackageCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const mayChange = useMayChange() && card.state === 'draft'
  const [open, setOpen] = useState<'upload' | 'share' | null>(null)
  const [request, setRequest] = useState<UpdateRequest | null>(null)
  const exclude = useExclude(card, setRequest)
  const columns = useMemo(
    () => fileColumns({ t, format }, mayChange ? exclude : null),
    [t, format, mayChange, exclude],
  )
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {card.state === 'draft' ? t('updates:package.draftHint') : t('updates:package.lockedHint')}
        </Text>
        {mayChange && (
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<IconFilePlus size={16} aria-hidden />}
              onClick={() => setOpen('share')}
            >
              {t('updates:file.share')}
            </Button>
            <Button leftSection={<IconFileUpload size={16} aria-hidden />} onClick={() => setOpen('upload')}>
              {t('updates:file.upload')}
            </Button>
          </Group>
        )}
      </Group>
      {card.files.length > 0 ? (
        <PlainTable
          label={t('updates:fields.files')}
          columns={columns}
          rows={card.files}
          rowKey={file => file.linkUid}
        />
      ) : (
        <Text>{t('updates:package.noFiles')}</Text>
      )}
      {open === 'upload' && <UploadForm draft={card} onClose={() => setOpen(null)} />}
      {open === 'share' && <ShareFile draft={card} onClose={() => setOpen(null)} />}
      {request && <ConfirmUpdate request={request} onClose={() => setRequest(null)} />}
    </Stack>
  )
}

type Exclude = (file: PackageFile) => void

function useExclude({ uid }: PackageCard, ask: (request: UpdateRequest) => void): Exclude {
  const { t } = useTranslate()
  const { mutateAsync } = useExcludeFile()
  return useMemo(
    () => file => {
      const name = file.originalName
      ask({
        title: t('updates:file.exclude.title', { name }),
        text: t('updates:file.exclude.text'),
        confirmLabel: t('updates:file.exclude.button'),
        run: () => mutateAsync({ uid, fileuid: file.uid, linkid: file.linkUid }),
        doneText: t('updates:file.exclude.done', { name }),
      })
    },
    [t, mutateAsync, uid, ask],
  )
}

function fileColumns(
  { t, format }: { t: Translate; format: Format },
  exclude: Exclude | null,
): ListColumn<PackageFile>[] {
  const columns: ListColumn<PackageFile>[] = [
    {
      id: 'originalName',
      header: t('updates:fields.fileName'),
      cell: file => <bdi dir="ltr">{file.originalName}</bdi>,
    },
    { id: 'sizeBytes', header: t('updates:fields.size'), cell: file => format.size(file.sizeBytes) },
    {
      id: 'signature',
      header: t('updates:fields.signature'),
      cell: file => <SignatureBadge state={file.signatureState} />,
    },
    {
      id: 'hash',
      header: t('updates:fields.hash'),
      cell: file => <HashCell hash={file.hash} />,
    },
    {
      id: 'addedAt',
      header: t('updates:fields.added'),
      cell: file => <RelativeTime instant={file.addedAt} />,
    },
  ]
  if (exclude)
    columns.push({
      id: 'exclude',
      header: '',
      cell: file => (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconUnlink size={16} aria-hidden />}
          aria-label={t('updates:file.exclude.of', { name: file.originalName })}
          onClick={() => exclude(file)}
        >
          {t('updates:file.exclude.button')}
        </Button>
      ),
    })
  return columns
}
