import { MAX_IMPORT_LINES } from '@floorcast/contract/device-import.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { PlansLink } from '../../ui/plans-link.tsx'
import type { CheckedList, CheckedRow } from './check-rows.ts'
import { limitsQuery } from './device-import-data.ts'
import { MissingGroups } from './missing-groups.tsx'
import { RowsTable } from './rows-table.tsx'
import type { ImportJob } from './send-import.ts'

/** Of the columns that are not read. */
const MAX_NAMED = 10

export interface ImportPreviewProps {
  kind: Kind
  list: CheckedList
  onStart: (rows: readonly CheckedRow[], existing: ImportJob['existing']) => void
}

/** The rows as they will be added, their errors by line, and the button that adds them. */
export function ImportPreview({ kind, list, onStart }: ImportPreviewProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const [isLeavingOut, setIsLeavingOut] = useState(false)
  const [existing, setExisting] = useState<ImportJob['existing']>('refuse')
  const { rows } = list
  const good = rows.filter(({ fault }) => fault === null)
  const faulty = rows.length - good.length
  const room = useRoom()
  const isOverPlan = room !== null && good.length > room
  return (
    <Panel title={t('devices:import.preview')}>
      <Stack gap="md">
        <MissingGroups kind={kind} rows={rows} />
        {list.isTooLong && (
          <Alert color="amber">
            {t('devices:import.tooLong', { lines: format.number(MAX_IMPORT_LINES) })}
          </Alert>
        )}
        {list.unread.length > 0 && (
          <Alert color="amber">
            {t('devices:import.unread', { columns: format.list(list.unread.slice(0, MAX_NAMED)) })}
          </Alert>
        )}
        {isOverPlan && <NoRoom room={room} />}
        <RowsTable rows={rows} faulty={faulty} />
        <Checkbox
          label={t('devices:import.skipExisting')}
          description={t('devices:import.skipExistingHint')}
          checked={existing === 'skip'}
          onChange={event => setExisting(event.currentTarget.checked ? 'skip' : 'refuse')}
        />
        <Group gap="md">
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={
              good.length === 0 ||
              (faulty > 0 && !isLeavingOut) ||
              // Skipped devices need no room; how many there are is not known.
              (isOverPlan && existing === 'refuse')
            }
            onClick={() => onStart(good, existing)}
          >
            {t('devices:import.add', { count: good.length })}
          </Button>
          {faulty > 0 && (
            <Checkbox
              label={t('devices:import.leaveOut', { count: faulty })}
              checked={isLeavingOut}
              onChange={event => setIsLeavingOut(event.currentTarget.checked)}
            />
          )}
        </Group>
      </Stack>
    </Panel>
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
