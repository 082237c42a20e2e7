import { Alert, Button, List, Progress, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { FailureText } from '../../ui/failure-text.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { findMissingGroups, type CheckedRow } from './check-rows.ts'
import type { GroupCreation, useAddGroups } from './use-add-groups.ts'

const maxNamesShown = 10
/** More new groups are rarely intended: the column of another file may have been taken for the groups. */
const maxUnconfirmed = 50

interface MissingGroupsProps {
  rows: readonly CheckedRow[]
  adding: ReturnType<typeof useAddGroups>
}

/** The groups that the list names and that do not exist, and the button that creates them. */
export function MissingGroups({ rows, adding }: MissingGroupsProps) {
  const { t } = useTranslate()
  const [isAsked, setIsAsked] = useState(false)
  const { creation, failure, create, stop } = adding
  const { creatable, refused } = useMemo(() => findMissingGroups(rows), [rows])
  if (creation) return <CreatingGroups creation={creation} stop={stop} />
  if (creatable.length === 0) return null
  const names = creatable.map(({ texts }) => texts.group)
  const label = t('devices:import.createGroups', { count: names.length })
  const isMany = names.length > maxUnconfirmed
  return (
    <Alert color="amber" title={t('devices:import.missingGroups', { count: names.length })}>
      <Stack gap="xs" align="flex-start">
        <GroupNames names={names} />
        {refused.length > 0 && <RefusedNames rows={refused} />}
        {failure !== null && (
          <Text size="sm" fw={500} role="alert">
            <FailureText error={failure} />
          </Text>
        )}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => (isMany ? setIsAsked(true) : create(names))}
        >
          {label}
        </Button>
      </Stack>
      {isAsked && (
        <ConfirmDialog
          isOpen
          title={t('devices:import.createMany.title', { count: names.length })}
          confirmLabel={label}
          onConfirm={async () => create(names)}
          onClose={() => setIsAsked(false)}
        >
          {t('devices:import.createMany.text')}
        </ConfirmDialog>
      )}
    </Alert>
  )
}

/** The names that no group can have: their lines may be far down in the table. */
function RefusedNames({ rows }: { rows: readonly CheckedRow[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  const more = rows.length - maxNamesShown
  return (
    <div>
      <Text size="sm">{t('devices:import.refusedNames', { count: rows.length })}</Text>
      <List size="sm">
        {rows.slice(0, maxNamesShown).map(({ line, texts, fault }) => (
          <List.Item key={line}>
            {t('devices:import.refusedName', {
              line: format.number(line),
              name: texts.group,
              reason: t(`devices:import.faults.${fault?.message ?? 'wrong'}`),
            })}
          </List.Item>
        ))}
        {more > 0 && <List.Item>{t('devices:import.moreGroups', { count: more })}</List.Item>}
      </List>
    </div>
  )
}

/** The first names; each is isolated, because their direction may differ from the page's. */
function GroupNames({ names }: { names: readonly string[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  const shown = names.slice(0, maxNamesShown)
  const more = names.length - shown.length
  const rest = more > 0 ? [t('devices:import.moreGroups', { count: more })] : []
  let index = 0
  return (
    <Text size="sm" component="div">
      {format.listParts([...shown, ...rest]).map((part, n) => {
        if (part.type === 'literal') return part.value
        index += 1
        return index > shown.length ? part.value : <bdi key={n}>{t('quoted', { name: part.value })}</bdi>
      })}
    </Text>
  )
}

function CreatingGroups({ creation, stop }: { creation: GroupCreation; stop: () => void }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { created, total, isStopping } = creation
  return (
    <Alert color="amber" title={t(isStopping ? 'devices:import.states.stopping' : 'devices:import.creating')}>
      <Stack gap="xs" align="flex-start">
        <Progress w="100%" value={(created / total) * 100} aria-label={t('devices:import.creating')} />
        <Text size="sm" className="fc-figures" aria-live="polite">
          {t('devices:import.created', { created: format.number(created), total: format.number(total) })}
        </Text>
        <Button size="compact-sm" variant="default" disabled={isStopping} onClick={stop}>
          {t('devices:import.stop')}
        </Button>
      </Stack>
    </Alert>
  )
}
