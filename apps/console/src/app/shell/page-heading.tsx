import { ActionIcon, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import type { Renaming } from '../../platform/renaming.ts'
import { isElsewhere } from '../../ui/data-table/search-key.ts'
import { useNameEditor } from '../../ui/rename/late-name-editor.ts'
import styles from './shell.module.css'

/** Calls back when F2 is pressed, unless a row, a field or a dialog has it. */
function useRenameKey(edit: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F2' || event.defaultPrevented || isElsewhere(event)) return
      event.preventDefault()
      edit()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [edit])
}

/** The name of an item as the page's heading, which a user who may change it edits there: by the pencil, a click or F2. */
export function PageHeading({ name, renaming }: { name: string; renaming: Renaming | null }) {
  const { t } = useTranslate()
  const [NameEditor, wantEditor] = useNameEditor()
  const [isEditing, setIsEditing] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const edit = () => {
    if (!renaming) return
    wantEditor()
    setIsEditing(true)
  }
  useRenameKey(edit)
  const close = (returnsFocus: boolean) => {
    setIsEditing(false)
    // The pencil comes back with the next drawing.
    if (returnsFocus) requestAnimationFrame(() => pencil.current?.focus())
  }
  const isOpen = isEditing && NameEditor !== null && renaming !== null
  return (
    <div className={styles.heading}>
      <Title
        order={1}
        {...(isOpen ? { className: 'fc-unseen' } : {})}
        data-editable={renaming !== null || undefined}
        onClick={() => getSelection()?.isCollapsed !== false && edit()}
      >
        <bdi title={name}>{name}</bdi>
      </Title>
      {isOpen && <NameEditor renaming={renaming} onClose={close} />}
      {renaming && !isOpen && (
        <ActionIcon
          ref={pencil}
          size={28}
          className={styles.pencil}
          aria-label={t('shell:rename.button')}
          title={t('withNote', { text: t('shell:rename.button'), note: 'F2' })}
          onClick={edit}
        >
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}
