import type { UpdateFileRow } from '@floorcast/contract/update-files.ts'
import { Button, Stack } from '@mantine/core'
import { IconEdit, IconFilePlus, IconFileUpload, IconFiles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { RowAction, ListColumn } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { EntityNames } from './entity-names.tsx'
import { HashCell } from './hash-cell.tsx'
import { KeyPanel } from './key-panel.tsx'
import { SignatureBadge } from './update-badges.tsx'
import { ConfirmUpdate, FileForm, ShareFile, UploadForm } from './update-dialogs.ts'
import { deleteIcon } from './update-icons.tsx'
import type { UpdateRequest } from './update-requests.ts'
import { updateQueries, useDeleteUpdateFile, useRenameFile } from './updates-data.ts'

const defaults = { sort: 'uploadedAt', dir: 'desc' } as const

type Open = { what: 'edit' | 'share'; file: UpdateFileRow } | { what: 'upload' }

/** /updates/files: every stored file, in a package or not, and the key by which signatures are checked. */
export function UpdateFilesPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const list = useList(defaults)
  const result = useQuery({ ...updateQueries.files(list.query), enabled: list.isReady })
  const columns = useMemo(() => fileColumns(t, format), [t, format])
  const [open, setOpen] = useState<Open | null>(null)
  const [request, setRequest] = useState<UpdateRequest | null>(null)
  const askToDelete = useDelete(setRequest)
  const close = () => setOpen(null)
  const rename = useRenameFile()
  const mayChange = useMayChange()
  const uploadButton = mayChange && (
    <Button
      leftSection={<IconFileUpload size={16} aria-hidden />}
      onClick={() => setOpen({ what: 'upload' })}
    >
      {t('updates:file.upload')}
    </Button>
  )
  return (
    <Stack gap="md">
      <KeyPanel />
      <DataTable
        name="update-files"
        label={t('routes:updateFiles')}
        list={list}
        result={result}
        columns={columns}
        rowName={file => file.name}
        rename={rename}
        rowActions={mayChange ? rowActions(t, setOpen, askToDelete) : []}
        actions={uploadButton}
        empty={
          <EmptyState
            icon={IconFiles}
            title={t('updates:file.empty.title')}
            text={t('updates:file.empty.text')}
            action={uploadButton}
          />
        }
      />
      {open?.what === 'upload' && <UploadForm onClose={close} />}
      {open?.what === 'edit' && <FileForm file={open.file} onClose={close} />}
      {open?.what === 'share' && <ShareFile file={open.file} onClose={close} />}
      {request && <ConfirmUpdate request={request} onClose={() => setRequest(null)} />}
    </Stack>
  )
}

function useDelete(ask: (request: UpdateRequest) => void): (file: UpdateFileRow) => void {
  const { t } = useTranslate()
  const { mutateAsync } = useDeleteUpdateFile()
  return ({ uid, name }) =>
    ask({
      title: t('updates:file.delete.title', { name }),
      text: t('updates:file.delete.text'),
      confirmLabel: t('delete'),
      isDanger: true,
      run: () => mutateAsync({ uid }),
      doneText: t('updates:deleted', { name }),
    })
}

const rowActions = (
  t: Translate,
  open: (what: Open) => void,
  askToDelete: (file: UpdateFileRow) => void,
): RowAction<UpdateFileRow>[] => [
  {
    label: t('edit'),
    icon: <IconEdit size={16} aria-hidden />,
    run: file => open({ what: 'edit', file }),
  },
  {
    label: t('updates:file.addTo'),
    icon: <IconFilePlus size={16} aria-hidden />,
    run: file => open({ what: 'share', file }),
  },
  { label: t('delete'), icon: deleteIcon, isDanger: true, run: askToDelete },
]

/** The columns of stored files; ids are what the server sorts by. */
function fileColumns(t: Translate, format: Format): ListColumn<UpdateFileRow>[] {
  return [
    { id: 'name', header: t('name'), isSortable: true, cell: file => <bdi>{file.name}</bdi> },
    {
      id: 'originalName',
      header: t('updates:fields.fileName'),
      isSortable: true,
      isMinor: true,
      cell: file => <bdi dir="ltr">{file.originalName}</bdi>,
    },
    {
      id: 'sizeBytes',
      header: t('updates:fields.size'),
      isSortable: true,
      isNumber: true,
      cell: file => format.size(file.sizeBytes),
    },
    {
      id: 'signature',
      header: t('updates:fields.signature'),
      cell: file => <SignatureBadge state={file.signatureState} />,
    },
    {
      id: 'packages',
      header: t('updates:fields.packages'),
      cell: ({ packages }) => packages.length > 0 && <EntityNames items={packages} to={paths.package} />,
    },
    {
      id: 'uploadedAt',
      header: t('updates:fields.uploaded'),
      isSortable: true,
      cell: file => <RelativeTime instant={file.uploadedAt} />,
    },
    {
      id: 'hash',
      header: t('updates:fields.hash'),
      isHiddenAtFirst: true,
      cell: file => <HashCell hash={file.hash} />,
    },
    {
      id: 'description',
      header: t('description'),
      isProse: true,
      isHiddenAtFirst: true,
      cell: file => file.description,
    },
  ]
}
