import type { AuditEntry } from '@floorcast/contract/audit.ts'
import { Anchor, Stack, Table, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Field, Fields } from '../../ui/detail/fields.tsx'
import { Drawer } from '../../ui/overlay/overlays.tsx'
import styles from './audit.module.css'
import { describeAction, describeField, describeKind, describeValue, shorten } from './audit-words.ts'
import { TextWithItems } from './changed-items.tsx'

interface ChangesCellProps {
  entry: AuditEntry
  show: (entry: AuditEntry) => void
}

/** The first changed field before and after, and a button that shows all. */
export function ChangesCell({ entry, show }: ChangesCellProps) {
  const { t } = useTranslate()
  const fields = Object.keys(entry.changes)
  const [first] = fields
  if (first === undefined) return null
  return (
    <span className={styles.cell}>
      <span className={styles.step}>
        {t('labeled', { label: describeField(t, first), value: '' })}
        <Step entry={entry} field={first} />
      </span>
      <Anchor component="button" type="button" size="xs" className={styles.all} onClick={() => show(entry)}>
        {fields.length > 1 ? t('audit:more', { count: fields.length - 1 }) : t('audit:show')}
      </Anchor>
    </span>
  )
}

/** A field of an entry, for its values. A tag's field is its key, and the value what a user typed. */
const fieldOf = (entry: AuditEntry, field: string) => ({
  kind: entry.type,
  field,
  isCode: !entry.class?.endsWith('-tag'),
})

/** A value before and after on one line. */
function Step({ entry, field }: { entry: AuditEntry; field: string }) {
  const { t } = useTranslate()
  const format = useFormat()
  const [before, after] = (entry.changes[field] ?? []).map(value =>
    describeValue(t, format, { ...fieldOf(entry, field), value }),
  )
  if (field === 'licenseBoundAt' && before != null && after == null)
    return t('audit:wasBound', { time: before })
  const show = (text: string) => <TextWithItems text={shorten(text)} named={entry.named} />
  return (
    <>
      {before != null && (
        <>
          <bdi className={styles.before}>{show(before)}</bdi>{' '}
          <IconArrowRight
            size={14}
            className={`fc-points ${styles.arrow}`}
            aria-label={t('audit:becomes')}
            role="img"
          />{' '}
        </>
      )}
      <bdi>{after == null ? t('audit:nothing') : show(after)}</bdi>
    </>
  )
}

/** One change whole: who, when and what, and each field before and after side by side. */
export function ChangeDrawer({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Drawer
      opened={entry !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={t('audit:change')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {entry && (
        <Stack gap="md">
          <Fields>
            <Field label={t('audit:columns.time')}>{format.moment(entry.eventTime)}</Field>
            <Field label={t('audit:columns.user')}>
              <bdi>{entry.userName}</bdi>
            </Field>
            <Field label={t('audit:columns.action')}>{describeAction(t, entry.class)}</Field>
            <Field label={t('audit:columns.kind')}>{describeKind(t, entry.type)}</Field>
            <Field label={t('audit:columns.item')} isWide>
              {entry.thingName && <bdi>{entry.thingName}</bdi>}
            </Field>
          </Fields>
          <FieldTable entry={entry} />
          {entry.thingUid !== null && (
            <div>
              <Text size="sm" fw={500} mb={4}>
                {t('audit:itemUid')}
              </Text>
              <CopyField label={t('audit:itemUid')} text={entry.thingUid} />
            </div>
          )}
          {entry.request !== null && (
            <div>
              <Text size="sm" fw={500} mb={4}>
                {t('audit:columns.request')}
              </Text>
              <CopyField label={t('audit:columns.request')} text={entry.request} />
            </div>
          )}
        </Stack>
      )}
    </Drawer>
  )
}

function FieldTable({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslate()
  const format = useFormat()
  const value = (each: unknown, field: string) => {
    const text = describeValue(t, format, { ...fieldOf(entry, field), value: each })
    return text === null ? (
      <Text span inherit c="dimmed">
        {t('audit:nothing')}
      </Text>
    ) : (
      <bdi>
        <TextWithItems text={text} named={entry.named} />
      </bdi>
    )
  }
  return (
    <Table className={styles.fields} aria-label={t('audit:columns.changes')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('audit:field')}</Table.Th>
          <Table.Th>{t('audit:before')}</Table.Th>
          <Table.Th>{t('audit:after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(entry.changes).map(([field, [before, after]]) => (
          <Table.Tr key={field}>
            <Table.Th scope="row">{describeField(t, field)}</Table.Th>
            <Table.Td>{value(before, field)}</Table.Td>
            <Table.Td>{value(after, field)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
