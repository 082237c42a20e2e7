import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useFormat } from '../../platform/format.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { useList } from '../../ui/data-table/use-list.ts'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** Arabic texts, which need no translation: the page shows how they are set. */
export const words = {
  title: 'متجر الميدان',
  other: 'متجر Oslo 1 رقم 24',
  text: 'نص طويل يلتف على أكثر من سطر، وفيه اسم لاتيني مثل Floorcast ورقم مثل 12:30 لترى كيف يُرسم.',
  name: 'الاسم',
  value: 'القيمة',
  empty: 'لا شيء بعد',
  save: 'حفظ',
  cancel: 'إلغاء',
  more: 'المزيد',
  next: 'التالي',
  address: '192.168.1.20',
  key: 'ABCD-EFGH-IJKL-MNOP',
  steps: ['ساعات العمل', 'اختيار الإعلانات', 'اختيار الخلفية', 'فحص القائمة'],
}

/** The names of the components, as the code has them. */
export const parts = {
  buttons: 'Button',
  states: 'StatusBadge, Alert, Progress',
  inputs: 'TextInput, Select',
  choices: 'Checkbox, Radio, Switch, Slider',
  overlays: 'Menu, Popover, Tooltip, Drawer, Modal, Toast',
  menu: 'Menu',
  popover: 'Popover',
  tooltip: 'Tooltip',
  drawer: 'Drawer',
  dialog: 'Modal',
  facts: 'Fields, CopyField, Pager',
  steps: 'StepBar',
  list: 'DataTable',
  table: 'PlainTable',
}

interface Row {
  uid: string
  name: string
  value: number
}
const rows: Row[] = Array.from({ length: 6 }, (_, index) => ({
  uid: String(index),
  name: index % 2 === 0 ? `${words.title} ${index + 1}` : words.other,
  value: (index + 1) * 1250,
}))

/** The list of the console and a table in a panel, with rows of this page. */
export function RtlLists() {
  const format = useFormat()
  const list = useList({})
  const columns = [
    { id: 'name', header: words.name, isSortable: true, cell: ({ name }: Row) => <bdi>{name}</bdi> },
    { id: 'state', header: words.more, cell: () => <StatusBadge tone="good">{words.title}</StatusBadge> },
    { id: 'value', header: words.value, isNumber: true, cell: ({ value }: Row) => format.number(value) },
  ]
  return (
    <>
      <DataTable
        name="rtl"
        label={parts.list}
        list={list}
        result={{
          data: { items: rows, total: 45 },
          isPending: false,
          isError: false,
          isPlaceholderData: false,
          error: null,
          refetch: () => undefined,
        }}
        columns={columns}
        rowName={({ name }) => name}
        rowActions={[{ label: words.save, icon: <IconPlus size={16} aria-hidden />, run: () => undefined }]}
        bulkActions={[{ label: words.save, icon: <IconPlus size={16} aria-hidden />, run: () => undefined }]}
        actions={<Button>{words.save}</Button>}
        empty={null}
      />
      <Panel title={parts.table}>
        <PlainTable label={parts.table} columns={columns} rows={rows.slice(0, 3)} rowKey={({ uid }) => uid} />
      </Panel>
    </>
  )
}
