import { TagDraft, type Tag } from '@floorcast/contract/tag-calls.ts'
import { DEFAULT_VOLUME, KNOWN_TAG_KEYS } from '@floorcast/contract/tags.ts'
import { Autocomplete, Text, Textarea, type ComboboxProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { nameTagKey } from '../../ui/tags/tag-key.ts'
import { findOptions } from '../../ui/find-options.ts'
import { TagValueField } from './tag-value-field.tsx'
import { useSaveTag, type ChosenOwner } from './tags-data.ts'

interface TagFormProps {
  owner: ChosenOwner
  /** The tag to change; null: a new one. */
  tag: Tag | null
  /** Keys that the owner has already. */
  taken: readonly string[]
  isOpen: boolean
  onClose: () => void
}

/** The options belong to the form: outside of it they would be outside of every landmark. */
const inForm: ComboboxProps = { withinPortal: false }

type Values = Record<'key' | 'value' | 'description', string>

/** Adds a tag or changes the value of one; the key of a tag stays. */
export function TagForm({ owner, tag, taken, isOpen, onClose }: TagFormProps) {
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
      isOpen={isOpen}
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
            <Textarea
              label={t('description')}
              description={t('fields:descriptionHint', { used: [...description.trim()].length })}
              autosize
              minRows={2}
              maxRows={6}
              {...form.getInputProps('description')}
            />
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
