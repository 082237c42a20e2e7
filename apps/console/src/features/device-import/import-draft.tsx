import { MAX_IMPORT_LINES } from '@floorcast/contract/device-import.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { Alert, Button, CloseButton, Group, Input, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { IconDownload, IconFileText } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useState, type Ref } from 'react'
import { decodeText } from '../../platform/decode-text.ts'
import { saveFile } from '../../platform/download.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { csvCell } from '../../platform/parse-csv.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { useFrozen } from '../../platform/use-frozen.ts'
import type { SheetRow } from '../../platform/xlsx/read-xlsx.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { KindField } from '../../ui/side-form/kind-field.tsx'
import { DropFiles } from '../../ui/upload/drop-files.tsx'
import {
  checkRows,
  columns,
  englishHeadings,
  isPlaceColumn,
  type Headings,
  type ImportColumn,
} from './check-rows.ts'
import { groupsQuery } from './device-import-data.ts'
import { ImportPreview, type ImportPreviewProps } from './import-preview.tsx'
import { nameColumn } from './rows-table.tsx'
import { useAddGroups } from './use-add-groups.ts'

/** The user's list: typed or pasted, or a file, which may be too long for a text field. */
export interface ImportList {
  fileName: string | null
  text: string
}
export const noList: ImportList = { fileName: null, text: '' }

/** Characters of a paste that becomes a list without a text field: Chromium takes half a minute to put 2,000 lines into one. */
const longPaste = 10_000

interface ImportDraftProps {
  kind: Kind
  setKind: (kind: Kind) => void
  list: ImportList
  setList: (list: ImportList) => void
  onStart: ImportPreviewProps['onStart']
  headingRef: Ref<HTMLHeadingElement>
}

/** The list before it is sent: where it comes from, and what it has. */
export function ImportDraft({ kind, list, onStart, ...props }: ImportDraftProps) {
  const { t } = useTranslate()
  const { role } = useSignedInUser()
  const groups = useQuery(groupsQuery())
  const adding = useAddGroups(kind)
  // Each new group makes the list of groups stale: the lines are checked once, when all are there.
  const known = useFrozen(groups.data, adding.creation !== null)
  const text = useDeferredValue(list.text)
  const checked = useMemo(
    () => checkRows(text, { kind, groups: known ?? [], headings: headingsOf(t, role === 'admin') }),
    [text, kind, known, t, role],
  )
  const isEmpty = checked.rows.length === 0
  return (
    <>
      <ListPanel kind={kind} list={list} {...props} />
      {groups.isError && !groups.data && (
        <ErrorPanel error={groups.error} retry={() => void groups.refetch()} />
      )}
      {groups.isPending && !isEmpty && <Skeleton height={200} aria-busy />}
      {checked.lacksName && (
        <Alert color="red" role="alert" title={t('devices:import.noNames')}>
          {t('devices:import.noNamesHint')}
        </Alert>
      )}
      {groups.data && !isEmpty && <ImportPreview list={checked} adding={adding} onStart={onStart} />}
      {isEmpty && !checked.lacksName && list.fileName !== null && (
        <Panel>
          <Text role="status">{t('devices:import.noRows', { name: list.fileName })}</Text>
        </Panel>
      )}
    </>
  )
}

/** Headings in the user's language beside the English ones. Those of places are for admins, as tags are. */
const headingsOf = (t: Translate, hasPlaces: boolean): Headings => {
  const headings: Record<ImportColumn, readonly string[]> = { ...englishHeadings }
  for (const column of columns)
    headings[column] =
      hasPlaces || !isPlaceColumn(column)
        ? [...englishHeadings[column], nameColumn(t, column).toLowerCase()]
        : []
  return headings
}

interface FileNotice {
  key: UnreadableList | 'onlyOne'
  name: string
}

/** Takes the list of a file, the first of several; an unreadable file leaves the list as it is. */
function useListFile(setList: (list: ImportList) => void) {
  const [notice, setNotice] = useState<FileNotice | null>(null)
  const takeFiles = useCallback(
    (files: File[]) => {
      const [file, other] = files
      if (!file) return
      const { name } = file
      const take = (read: Awaited<ReturnType<typeof readListFile>>) => {
        if (typeof read === 'string') return setNotice({ key: read, name })
        setNotice(other ? { key: 'onlyOne', name } : null)
        setList({ fileName: name, text: read.text })
      }
      readListFile(file).then(take, toastFailure)
    },
    [setList],
  )
  return { notice, clearNotice: () => setNotice(null), takeFiles }
}

function FileNoticeAlert({ notice: { key, name } }: { notice: FileNotice }) {
  const { t } = useTranslate()
  if (key === 'onlyOne') return <Alert color="amber">{t('devices:import.onlyOne', { name })}</Alert>
  return (
    <Alert color="red" role="alert" title={t(`devices:import.${key}`, { name })}>
      {t('devices:import.unreadableHint')}
    </Alert>
  )
}

function ListPanel({ kind, setKind, list, setList, headingRef }: Omit<ImportDraftProps, 'onStart'>) {
  const { t } = useTranslate()
  const { notice, clearNotice, takeFiles } = useListFile(setList)
  const change = (next: ImportList) => {
    clearNotice()
    setList(next)
  }
  return (
    <Panel title={t('devices:import.list')} headingRef={headingRef}>
      <Stack gap="md">
        <Text c="dimmed">{t('devices:import.hint')}</Text>
        <Input.Wrapper label={t('devices:columns.kind')} labelElement="div">
          <KindField
            label={t('devices:columns.kind')}
            field={{
              value: kind,
              onChange: value => setKind(value === 'video' ? 'video' : 'audio'),
              maw: 280,
            }}
          />
        </Input.Wrapper>
        {notice && <FileNoticeAlert notice={notice} />}
        {list.fileName === null ? (
          <ListField text={list.text} setList={change} />
        ) : (
          <ChosenFile list={list} clear={() => change(noList)} />
        )}
        <Group gap="xs">
          <DropFiles
            accept=".csv,.tsv,.txt,.xlsx,text/csv"
            label={t('devices:import.choose')}
            dropText={t('devices:import.drop')}
            onFiles={takeFiles}
            isSingle
            isMinor={list.text !== ''}
          />
          <ExampleButton />
        </Group>
      </Stack>
    </Panel>
  )
}

function ListField({ text, setList }: { text: string; setList: (list: ImportList) => void }) {
  const { t } = useTranslate()
  return (
    <Textarea
      label={t('devices:import.rows')}
      placeholder={t('devices:import.example')}
      rows={8}
      resize="vertical"
      value={text}
      onChange={event => setList({ fileName: null, text: event.currentTarget.value })}
      onPaste={event => {
        const pasted = event.clipboardData.getData('text/plain')
        if (pasted.length < longPaste) return
        event.preventDefault()
        setList({ fileName: t('devices:import.pasted'), text: pasted })
      }}
    />
  )
}

function ExampleButton() {
  const { t } = useTranslate()
  const example = () => new Blob([`\uFEFF${t('devices:import.example')}\r\n`], { type: 'text/csv' })
  return (
    <Button
      variant="subtle"
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => saveFile(example(), 'devices.csv')}
    >
      {t('devices:import.saveExample')}
    </Button>
  )
}

function ChosenFile({ list, clear }: { list: ImportList; clear: () => void }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Group gap="xs" wrap="nowrap">
      <IconFileText size={20} aria-hidden />
      <Text fw={500} truncate>
        <bdi>{list.fileName}</bdi>
      </Text>
      <Text c="dimmed" size="sm" className="fc-figures">
        {format.size(new Blob([list.text]).size)}
      </Text>
      <CloseButton aria-label={t('devices:import.removeFile')} onClick={clear} />
    </Group>
  )
}

/** How a zip archive begins. */
const ARCHIVE = [0x50, 0x4b, 0x03, 0x04]

/** Why a file cannot be read as a list: its text is in a code page, or it is a spreadsheet that is damaged, locked, too large or of another kind. */
type UnreadableList = 'unreadable' | 'unreadableSheet'

/** The text of a csv file, or the first sheet of an xlsx file as csv, each row in the line of its number. */
async function readListFile(file: Blob): Promise<{ text: string } | UnreadableList> {
  const bytes = await file.arrayBuffer()
  const begin = new Uint8Array(bytes.slice(0, ARCHIVE.length))
  if (!ARCHIVE.every((byte, at) => begin[at] === byte)) {
    const text = decodeText(bytes)
    return text === null ? 'unreadable' : { text }
  }
  const { readXlsx } = await import('../../platform/xlsx/read-xlsx.ts')
  try {
    return { text: sheetText(await readXlsx(bytes, MAX_IMPORT_LINES + 1)) }
  } catch {
    return 'unreadableSheet'
  }
}

/** A row is one line: a break within a cell would move all that follow. */
const toCell = (text: string) => csvCell(text.replaceAll(/[\r\n]+/g, ' '))

function sheetText(rows: readonly SheetRow[]): string {
  const lines: string[] = []
  for (const { number, cells } of rows) {
    if (number > MAX_IMPORT_LINES + 1) break
    while (lines.length < number - 1) lines.push('')
    lines.push(cells.map(toCell).join(','))
  }
  return lines.join('\n')
}
