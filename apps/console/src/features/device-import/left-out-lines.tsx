import { csvSeparatorOf } from '@floorcast/contract/csv.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { saveFile } from '../../platform/download.ts'
import { currentLanguage, useTranslate, type Translate } from '../../platform/i18n.ts'
import { csvCell } from '../../platform/parse-csv.ts'
import { columns, type CheckedRow } from './check-rows.ts'
import { describeFault, nameColumn, RowsTable } from './rows-table.tsx'
import type { LeftOutLine } from './send-import.ts'

export const toLeftOut = ({ line, texts, fault }: CheckedRow): LeftOutLine[] =>
  fault ? [{ line, texts, fault }] : []

/** The lines that were not added, with their reasons, to look at and to correct in a file. */
export function LeftOutLines({ lines }: { lines: readonly LeftOutLine[] }) {
  const { t } = useTranslate()
  const save = () =>
    saveFile(new Blob([`\uFEFF${toCsv(t, lines)}`], { type: 'text/csv' }), 'devices-left-out.csv')
  return (
    <Stack gap="xs">
      <Group gap="md">
        <Text fw={600}>{t('devices:import.leftOut', { count: lines.length })}</Text>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
          {t('devices:import.saveLeftOut')}
        </Button>
      </Group>
      <RowsTable rows={lines.map(line => ({ ...line, row: null }))} faulty={0} />
    </Stack>
  )
}

/** The lines under headings that an import reads, and line and reason, which it does not. */
function toCsv(t: Translate, lines: readonly LeftOutLine[]): string {
  const separator = csvSeparatorOf(currentLanguage().code) === 'comma' ? ',' : ';'
  const used = columns.filter(column => column === 'name' || lines.some(({ texts }) => texts[column] !== ''))
  const records = [
    [...used.map(column => nameColumn(t, column)), t('devices:import.line'), t('devices:import.reason')],
    ...lines.map(({ line, texts, fault }) => [
      ...used.map(column => texts[column]),
      String(line),
      describeFault(t, fault),
    ]),
  ]
  return records.map(cells => `${cells.map(csvCell).join(separator)}\r\n`).join('')
}
