import { CallError } from '@floorcast/contract/client.ts'
import { Name } from '@floorcast/contract/fields.ts'
import { ActionIcon, Box, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react'
import { z } from 'zod'
import { currentTranslate, useTranslate, type Translate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import type { Renaming } from '../../platform/renaming.ts'
import { toast } from '../../platform/toasts.ts'
import { checkBy, explainFailure } from '../side-form/field-rules.ts'
import styles from './name-editor.module.css'

const Draft = z.object({ name: Name })

export interface NameEditorProps {
  renaming: Renaming
  /** @param returnsFocus the user has not gone elsewhere */
  onClose: (returnsFocus: boolean) => void
}

/** The name and its version as the user saw them. */
interface Seen {
  name: string
  version: Promise<number>
}

function see({ name, version }: Renaming): Seen {
  const read = Promise.resolve(typeof version === 'number' ? version : version())
  // Its failure is told when it is needed.
  read.catch(() => undefined)
  return { name, version: read }
}

/** Says the new name, with an Undo that overwrites nothing either. */
async function announce({ save }: Renaming, former: string, next: { name: string; version: number }) {
  const { t } = currentTranslate()
  const undo = () =>
    save({ name: former, version: next.version }).then(
      () => toast('success', t('shell:rename.done', { name: former })),
      (error: unknown) => toastFailure(error),
    )
  await toast('success', t('shell:rename.done', { name: next.name }), {
    action: { label: t('undo'), run: () => void undo() },
  })
}

/** Saves a name. What another person has changed meanwhile is shown, and the next attempt replaces that. */
function useRename(renaming: Renaming, onClose: NameEditorProps['onClose']) {
  const [seen, setSeen] = useState<Seen | null>(() => see(renaming))
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setIsBusy] = useState(false)
  const save = async (name: string, returnsFocus: boolean) => {
    // After a conflict: the current name, which the user has seen.
    const base = seen ?? see(renaming)
    if (name === base.name) return onClose(returnsFocus)
    setIsBusy(true)
    try {
      const version = await base.version
      await renaming.save({ name, version })
      void announce(renaming, base.name, { name, version: version + 1 })
      onClose(returnsFocus)
    } catch (error) {
      setFailure(error)
      setSeen(isConflict(error) ? null : base)
      setIsBusy(false)
    }
  }
  return { save, isBusy, failure, forgetFailure: () => setFailure(null) }
}

const isConflict = (error: unknown) => error instanceof CallError && error.status === 409

function describe(t: Translate, failure: unknown, nameNow: string): string | null {
  if (failure === null) return null
  if (isConflict(failure)) return t('shell:rename.conflict', { name: nameNow })
  const { fields, message } = explainFailure(t, failure, ['name'])
  return fields['name'] ?? message
}

/** Mounted where editing begins: takes the focus and selects the name. */
function enter(input: HTMLInputElement | null): void {
  input?.focus()
  input?.select()
}

/** The page is not left while a name is edited. */
const group = { role: 'group', 'data-editing': true } as const

/** A press on a button of the editor does not take the focus from its field. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

/**
 * A name that is edited where it stands: Enter saves, and so does going elsewhere; Escape restores. It is checked while it is
 * typed, and a refusal is shown below it.
 */
export function NameEditor({ renaming, onClose }: NameEditorProps) {
  const { t } = useTranslate()
  const [text, setText] = useState(renaming.name)
  const { save, isBusy, failure, forgetFailure } = useRename(renaming, onClose)
  const error = checkBy(t, Draft)({ name: text })['name'] ?? describe(t, failure, renaming.name)
  const submit = (returnsFocus: boolean) => {
    const { data } = Draft.safeParse({ name: text })
    if (data && !isBusy) void save(data.name, returnsFocus)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // The row, the list and the page have keys of their own.
    event.stopPropagation()
    if (event.key === 'Escape') onClose(true)
    else if (event.key === 'Enter') submit(true)
    else return
    event.preventDefault()
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // The window lost the focus, or its own button has it.
    if (!document.hasFocus() || currentTarget.contains(relatedTarget)) return
    if (failure === null) submit(false)
  }
  return (
    <Box className={styles.editor} {...group} onKeyDown={onKeyDown} onBlur={onBlur} aria-busy={isBusy}>
      <TextInput
        ref={enter}
        className={styles.field}
        size="xs"
        aria-label={t('shell:rename.label', { name: renaming.name })}
        autoComplete="off"
        value={text}
        readOnly={isBusy}
        error={error}
        errorProps={{ role: 'alert', size: 'sm' }}
        inputContainer={input => (
          <>
            {input}
            {!error && renaming.hint?.(text)}
          </>
        )}
        onChange={event => {
          setText(event.currentTarget.value)
          forgetFailure()
        }}
      />
      <ActionIcon
        aria-label={t('save')}
        loading={isBusy}
        onMouseDown={keepFocus}
        onClick={() => submit(true)}
      >
        <IconCheck size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={t('cancel')} onMouseDown={keepFocus} onClick={() => onClose(true)}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Box>
  )
}
