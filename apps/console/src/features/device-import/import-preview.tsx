import { MAX_IMPORT_LINES } from '@floorcast/contract/device-import.ts'
import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { PlansLink } from '../../ui/failure-text.tsx'
import { lacksGroup, type CheckedList, type CheckedRow } from './check-rows.ts'
import { limitsQuery } from './device-import-data.ts'
import { MissingGroups } from './missing-groups.tsx'
import { RowsTable } from './rows-table.tsx'
import type { ImportJob } from './send-import.ts'
import type { useAddGroups } from './use-add-groups.ts'

/** The number of skipped columns that are named. */
const MAX_NAMED = 10

export interface ImportPreviewProps {
  list: CheckedList
  adding: ReturnType<typeof useAddGroups>
  /** @param rows those that are sent and those that are left out */
  onStart: (rows: readonly CheckedRow[], existing: ImportJob['existing']) => void
}

/** The rows as they will be added, their errors by line, and the button that adds them. */
export function ImportPreview({ list, adding, onStart }: ImportPreviewProps) {
  const { t } = useTranslate()
  const [isLeavingOut, setIsLeavingOut] = useState({ faulty: false, groupless: false })
  const [existing, setExisting] = useState<ImportJob['existing']>('refuse')
  const { rows } = list
  const counts = useMemo(() => countRows(rows), [rows])
  const room = useRoom()
  const isOverPlan = room !== null && counts.good > room
  const isBlocked = (['faulty', 'groupless'] as const).some(of => counts[of] > 0 && !isLeavingOut[of])
  const leaveOut = (of: 'faulty' | 'groupless', label: string) =>
    counts[of] > 0 && (
      <Checkbox
        label={label}
        checked={isLeavingOut[of]}
        onChange={event => setIsLeavingOut({ ...isLeavingOut, [of]: event.currentTarget.checked })}
      />
    )
  return (
    <Panel title={t('devices:import.preview')}>
      <Stack gap="md">
        <MissingGroups rows={rows} adding={adding} />
        <ListNotices list={list} />
        {isOverPlan && <NoRoom room={room} />}
        <RowsTable rows={rows} faulty={counts.faulty} isPreview />
        <Checkbox
          label={t('devices:import.skipExisting')}
          description={t('devices:import.skipExistingHint')}
          checked={existing === 'skip'}
          onChange={event => setExisting(event.currentTarget.checked ? 'skip' : 'refuse')}
        />
        <Group gap="md">
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            // Skipped devices need no room; how many there are is not known.
            disabled={counts.good === 0 || isBlocked || (isOverPlan && existing === 'refuse')}
            onClick={() => onStart(rows, existing)}
          >
            {t('devices:import.add', { count: counts.good })}
          </Button>
          {leaveOut('faulty', t('devices:import.leaveOut', { count: counts.faulty }))}
          {leaveOut('groupless', t('devices:import.leaveOutGroups', { count: counts.groupless }))}
        </Group>
      </Stack>
    </Panel>
  )
}

/** Rows that can be sent, that have an error, and that wait for their group. */
function countRows(rows: readonly CheckedRow[]) {
  const counts = { good: 0, faulty: 0, groupless: 0 }
  for (const row of rows) counts[row.fault === null ? 'good' : lacksGroup(row) ? 'groupless' : 'faulty'] += 1
  return counts
}

/** Names the parts of the list that are not read. */
function ListNotices({ list }: { list: CheckedList }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <>
      {list.isTooLong && (
        <Alert color="amber">{t('devices:import.tooLong', { lines: format.number(MAX_IMPORT_LINES) })}</Alert>
      )}
      {list.unread.length > 0 && (
        <Alert color="amber">
          {t('devices:import.unread', { columns: format.list(list.unread.slice(0, MAX_NAMED)) })}
        </Alert>
      )}
    </>
  )
}

function NoRoom({ room }: { room: number }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Alert color="amber">
      {t('devices:import.noRoom', { room: format.number(room) })} <PlansLink />
    </Alert>
  )
}

/** How many more devices the plan allows; null as long as that is not known. */
function useRoom(): number | null {
  const { data } = useQuery(limitsQuery())
  return data ? Math.max(0, data.devices.limit - data.devices.used) : null
}
