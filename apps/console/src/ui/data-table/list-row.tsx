import { ActionIcon, Anchor, Checkbox, Skeleton, Table } from '@mantine/core'
import { IconDots, IconPencil } from '@tabler/icons-react'
import {
  memo,
  useEffect,
  useRef,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useMemo,
  useState,
} from 'react'
import { Link, useNavigate } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import type { Renaming, RenameItem } from '../../platform/renaming.ts'
import { Menu } from '../overlay/overlays.tsx'
import { useNameEditor } from '../rename/late-name-editor.ts'
import styles from './data-table.module.css'
import { isBlank, type ListColumn, type RowAction } from './list-column.ts'
import type { ToggleRow } from './use-selection.ts'

/** The content of a row beside its checkbox. */
interface RowContent<Row> {
  row: Row
  columns: readonly ListColumn<Row>[]
  name: string
  href: string | undefined
  actions: readonly RowAction<Row>[]
  /** Null: the name is not being edited. */
  renaming: Renaming | null
  onRenamed: () => void
}

interface RowProps<Row> extends RowContent<Row> {
  isFirst: boolean
  /** Null in a list without actions on a selection. */
  isChosen: boolean | null
  toggle: ToggleRow
}

/**
 * A row: the first column is its link, and a click anywhere outside a control opens it too. Memoized, and its cells apart: a page
 * has up to 100 rows, and a change of the selection draws only checkboxes.
 */
export const ListRow = memo(function ListRow<Row extends { uid: string }>({
  isFirst,
  isChosen,
  toggle,
  ...content
}: RowProps<Row>) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const { row, name, href } = content
  const open = (event: MouseEvent<HTMLElement>) => {
    const onControl =
      event.target instanceof Element &&
      event.target.closest('a, button, input, label, [role=menu], [role=group]')
    const isMarking = getSelection()?.isCollapsed === false
    if (href && !onControl && !isMarking) void navigate(href)
  }
  return (
    <Table.Tr
      tabIndex={isFirst ? 0 : -1}
      className={styles.row}
      data-chosen={isChosen || undefined}
      data-link={href !== undefined || undefined}
      onClick={open}
    >
      {isChosen !== null && (
        <Table.Td className={styles.chooseCell}>
          <Checkbox
            aria-label={t('list:chooseRow', { name })}
            checked={isChosen}
            onChange={({ nativeEvent }) => toggle(row.uid, isWithShift(nativeEvent))}
          />
        </Table.Td>
      )}
      <Cells {...content} />
    </Table.Tr>
  )
}) as <Row extends { uid: string }>(props: RowProps<Row>) => ReactNode

const Cells = memo(function Cells<Row>({ columns, ...content }: RowContent<Row>) {
  const { row, name, actions } = content
  return (
    <>
      {columns.map((column, index) => (
        <Cell key={column.id} column={column} isFirst={index === 0} of={content} />
      ))}
      {actions.length > 0 && (
        <Table.Td className={styles.menuCell}>
          <RowMenu row={row} name={name} actions={actions} />
        </Table.Td>
      )}
    </>
  )
}) as <Row>(props: RowContent<Row>) => ReactNode

const isWithShift = (event: Event) => 'shiftKey' in event && event.shiftKey === true

interface CellProps<Row> {
  column: ListColumn<Row>
  isFirst: boolean
  of: Omit<RowContent<Row>, 'columns'>
}

function Cell<Row>({ column, isFirst, of: { row, name, href, renaming, onRenamed } }: CellProps<Row>) {
  const value = column.cell(row)
  if (isFirst && renaming)
    return (
      <Table.Td className={styles.renamed}>
        <RowNameEditor renaming={renaming} name={value} onClose={onRenamed} />
      </Table.Td>
    )
  return (
    <Table.Td
      data-label={column.header}
      data-labeled={column.isLabeled || undefined}
      data-blank={isBlank(value) || undefined}
      className={cellClass(column)}
    >
      {isFirst && href ? (
        <RowLink href={href} name={name} lead={column.lead?.(row)}>
          {nameOf(value)}
        </RowLink>
      ) : (
        orDash(value)
      )}
    </Table.Td>
  )
}

interface RowLinkProps {
  href: string
  name: string
  lead: ReactNode
  children: ReactNode
}

function RowLink({ href, name, lead, children }: RowLinkProps) {
  const link = (
    <Anchor component={Link} to={href} className={styles.name} title={name}>
      {children}
    </Anchor>
  )
  if (lead === undefined) return link
  return (
    <span className={styles.led}>
      {lead}
      {link}
    </span>
  )
}

/** The name of a row while it is edited; the row gets the focus back. */
function RowNameEditor({
  renaming,
  name,
  onClose,
}: {
  renaming: Renaming
  name: ReactNode
  onClose: () => void
}) {
  const [NameEditor, wantEditor] = useNameEditor()
  const place = useRef<HTMLDivElement>(null)
  useEffect(wantEditor, [wantEditor])
  const close = (returnsFocus: boolean) => {
    if (returnsFocus) place.current?.closest('tr')?.focus()
    onClose()
  }
  return <div ref={place}>{NameEditor ? <NameEditor renaming={renaming} onClose={close} /> : name}</div>
}

/** A value that is not there is a dash, never an empty place. */
const orDash = (value: ReactNode) => (isBlank(value) ? '–' : value)

const nameOf = (cell: ReactNode) => (typeof cell === 'string' ? <bdi>{cell}</bdi> : cell)

function cellClass({ isNumber, isProse }: ListColumn<never>): string | undefined {
  if (isNumber) return styles.number
  return isProse ? styles.prose : undefined
}

function RowMenu<Row>({
  row,
  name,
  actions,
}: {
  row: Row
  name: string
  actions: readonly RowAction<Row>[]
}) {
  const { t } = useTranslate()
  const offered = actions.filter(action => !action.isHidden?.(row))
  if (offered.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('list:menuOf', { name })}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map(action => (
          <Menu.Item
            key={action.label}
            leftSection={action.icon}
            {...(action.isDanger ? { c: 'var(--fc-down)' } : {})}
            onClick={() => action.run(row)}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** As many rows as the page will have, so that nothing jumps when they come. */
export function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <Table.Tr key={row} className={styles.row} aria-hidden>
      {Array.from({ length: columns }, (__, column) => (
        <Table.Td key={column}>
          <Skeleton height={12} width={column === 0 ? '70%' : '50%'} radius="sm" />
        </Table.Td>
      ))}
    </Table.Tr>
  ))
}

const noActions: never[] = []

/**
 * Which row of a list is renamed in its place, and the entries of the rows' menus: the one that begins it, and `others`. They stay the
 * same until these change: the rows are memoized.
 */
export function useRowRename<Row extends { uid: string }>(
  rename: RenameItem<Row> = null,
  others: readonly RowAction<Row>[] = noActions,
) {
  const { t } = useTranslate()
  const [uid, setUid] = useState<string | null>(null)
  const start = useCallback(
    (row: Row) => {
      if (rename?.(row)) setUid(row.uid)
    },
    [rename],
  )
  const actions = useMemo((): readonly RowAction<Row>[] => {
    if (!rename) return others
    const entry: RowAction<Row> = {
      label: t('shell:rename.button'),
      icon: <IconPencil size={16} aria-hidden />,
      // The menu closes first: it would take the focus back from the field.
      run: row => void setTimeout(() => start(row)),
      isHidden: row => rename(row) === null,
    }
    return [entry, ...others]
  }, [rename, others, start, t])
  const end = useCallback(() => setUid(null), [])
  return {
    actions,
    start,
    end,
    of: (row: Row): Renaming | null => (row.uid === uid ? (rename?.(row) ?? null) : null),
  }
}
