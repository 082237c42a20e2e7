import { CallError } from '@floorcast/contract/client.ts'
import { TagDraft, type Tag } from '@floorcast/contract/tag-calls.ts'
import { DEFAULT_VOLUME, KNOWN_TAG_KEYS } from '@floorcast/contract/tags.ts'
import {
  Autocomplete,
  Text,
  type ComboboxProps,
  Alert,
  Button,
  FileButton,
  Group,
  List,
  Stack,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { decodeText } from '../../platform/decode-text.ts'
import { saveFile } from '../../platform/download.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { findOptions } from '../../ui/find-options.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { describeRule } from '../../ui/side-form/field-rules.ts'
import { DescriptionField } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { nameTagKey } from '../../ui/tags/tag-key.ts'
import { exampleTags, MAX_FAULTS, readFault, readTags, type TagFault, type TagFile } from './read-tags.ts'
import { TagValueField } from './tag-value-field.tsx'
import { useSaveTag, type ChosenOwner, useImportTags } from './tags-data.ts'

interface TagFormProps {
  owner: ChosenOwner
  /** The tag to change; null: a new one. */
  tag: Tag | null
  /** Keys that the owner has already. */
  taken: readonly string[]
  onClose: () => void
}

/** The options belong to the form: outside of it they would be outside of every landmark. */
const inForm: ComboboxProps = { withinPortal: false }

type Values = Record<'key' | 'value' | 'description', string>

/** Adds a tag or changes the value of one; the key of a tag stays. */
export function TagForm({ owner, tag, taken, onClose }: TagFormProps) {
  const { t } = useTranslate()
  const { mutateAsync: save } = useSaveTag(owner)
  const initial: Values = {
    key: tag?.key ?? '',
    value: tag?.value ?? '',
    description: tag?.description ?? '',
  }
  const saveTag = async (values: Values) => {
    await save({ ...TagDraft.parse(values), isNew: tag === null })
    void toast('success', t('saved'))
  }
  return (
    <SideForm<Values>
      title={tag ? t('tags:editOne', { name: nameTagKey(t, tag.key) }) : t('tags:add')}
      schema={TagDraft}
      initial={initial}
      onSave={saveTag}
      onClose={onClose}
    >
      {form => {
        const { key, description } = form.getValues()
        return (
          <>
            {!tag && <KeyField form={form} taken={taken} />}
            <TagValueField tagKey={key.trim()} isFirst={tag !== null} field={form.getInputProps('value')} />
            <DescriptionField text={description} field={form.getInputProps('description')} />
          </>
        )
      }}
    </SideForm>
  )
}

/** A key that Floorcast interprets, by its name, or any other. */
function KeyField({ form, taken }: { form: UseFormReturnType<Values>; taken: readonly string[] }) {
  const { t } = useTranslate()
  return (
    <Autocomplete
      label={t('tags:key')}
      description={t('tags:keyHint')}
      required
      data-autofocus
      autoComplete="off"
      comboboxProps={inForm}
      filter={findOptions}
      data={KNOWN_TAG_KEYS.filter(known => !taken.includes(known))}
      renderOption={({ option }) => (
        <>
          <Text span inherit dir="ltr">
            {option.value}
          </Text>
          <Text span inherit c="dimmed">
            {nameTagKey(t, option.value)}
          </Text>
        </>
      )}
      {...form.getInputProps('key')}
      onChange={next => {
        form.setFieldValue('key', next)
        // The slider shows a volume at once, so that it has one.
        form.setFieldValue('value', next === 'volume' ? String(DEFAULT_VOLUME) : '')
      }}
    />
  )
}

/** A chosen file, and what has become of it. */
interface Chosen {
  name: string
  file: TagFile
  refusal?: { faults: readonly TagFault[] } | { error: unknown }
}

/** Sets many tags from a JSON file, all or none. Faults are listed by entry before and after it is sent. */
export function TagImportDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslate()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { mutateAsync: send, isPending } = useImportTags()
  const close = () => {
    setChosen(null)
    onClose()
  }
  const choose = async (picked: File | null) => {
    if (picked) setChosen({ name: picked.name, file: readTags(decodeText(await picked.arrayBuffer())) })
  }
  const entries = chosen && 'entries' in chosen.file ? chosen.file.entries : null
  const save = async () => {
    if (!chosen || !entries) return
    try {
      const { added = 0, changed = 0 } = await send(entries)
      void toast('success', t('tags:import.done', { added, changed }))
      close()
    } catch (error) {
      setChosen({ name: chosen.name, file: chosen.file, refusal: explain(error) })
    }
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size="lg"
      title={t('tags:import.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <Text>{t('tags:import.text')}</Text>
        <FileButtons isChosen={chosen !== null} choose={choose} />
        {chosen && <FileState chosen={chosen} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button
            disabled={!entries || chosen?.refusal !== undefined}
            loading={isPending}
            onClick={() => void save()}
          >
            {t('tags:import.save', { count: entries?.length ?? 0 })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface FileButtonsProps {
  isChosen: boolean
  choose: (file: File | null) => Promise<void>
}

/** Chooses the file, and saves one to begin with. */
function FileButtons({ isChosen, choose }: FileButtonsProps) {
  const { t } = useTranslate()
  const saveExample = () =>
    saveFile(new Blob([exampleTags], { type: 'application/json' }), 'tags-example.json')
  return (
    <Group gap="xs">
      <FileButton accept="application/json,.json" onChange={file => void choose(file)}>
        {props => (
          <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
            {t(isChosen ? 'tags:import.other' : 'tags:import.choose')}
          </Button>
        )}
      </FileButton>
      <Button variant="subtle" leftSection={<IconDownload size={16} aria-hidden />} onClick={saveExample}>
        {t('tags:import.example')}
      </Button>
    </Group>
  )
}

/** The faults of a 422 answer by entry; any other error as it is. */
function explain(error: unknown): NonNullable<Chosen['refusal']> {
  const errors = error instanceof CallError && error.status === 422 ? (error.problem?.errors ?? []) : []
  if (errors.length === 0) return { error }
  return { faults: errors.map(({ path, message }) => readFault(path, message)) }
}

function FileState({ chosen: { name, file, refusal } }: { chosen: Chosen }) {
  const { t } = useTranslate()
  if (refusal && 'error' in refusal)
    return (
      <Alert color="red" role="alert">
        {describeFailure(t, refusal.error)}
      </Alert>
    )
  if ('entries' in file) {
    if (refusal) return <Faults faults={refusal.faults} entries={file.entries} />
    return <Text role="status">{t('tags:import.ready', { name, count: file.entries.length })}</Text>
  }
  if (file.fault === 'entries') return <Faults faults={file.faults} entries={file.raw} />
  return (
    <Alert color="red" role="alert">
      {file.fault === 'no-json' && file.line !== null
        ? t('tags:import.wrong.line', { line: file.line })
        : t(`tags:import.wrong.${file.fault}`)}
    </Alert>
  )
}

/** Lists the faults by entry. Nothing of the file was saved. */
function Faults({ faults, entries }: { faults: readonly TagFault[]; entries: readonly unknown[] }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Alert color="red" role="alert" title={t('tags:import.faults', { count: faults.length })}>
      <List size="sm" withPadding mah={240} style={{ overflowY: 'auto' }}>
        {faults.slice(0, MAX_FAULTS).map(({ entry, field, rule }) => (
          <List.Item key={`${entry} ${field}`}>
            {t('tags:import.fault', {
              place: format.list([
                t('tags:import.entry', { number: entry }),
                ...describeEntry(entries[entry - 1]),
              ]),
              field,
              reason: describeRule(t, rule),
            })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** The names in an entry: its owner and key, as far as they are texts. */
function describeEntry(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null) return []
  const { name, key } = entry as { name?: unknown; key?: unknown }
  return [name, key].filter(text => typeof text === 'string' && text !== '') as string[]
}
