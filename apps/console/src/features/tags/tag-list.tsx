import type { Tag } from '@floorcast/contract/tag-calls.ts'
import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconEdit, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { ListColumn } from '../../ui/data-table/list-column.ts'
import { PlainTable } from '../../ui/data-table/plain-table.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Menu } from '../../ui/overlay/overlays.tsx'
import { Panel } from '../../ui/panel.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { nameTagKey } from '../../ui/tags/tag-key.ts'
import { TagForm } from './tag-dialogs.ts'
import { tagsQuery, useDeleteTag, type ChosenOwner } from './tags-data.ts'

/** An open form or question. */
type Opened = { kind: 'add' } | { kind: 'edit' | 'delete'; tag: Tag } | null

/** The tags that an owner has itself. */
export function TagList({ owner }: { owner: ChosenOwner }) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  const result = useQuery(tagsQuery(owner))
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  return (
    <Panel
      title={t(`tags:own.${owner.level}`)}
      end={
        mayChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened({ kind: 'add' })}>
            {t('tags:add')}
          </Button>
        )
      }
    >
      {result.isPending && (
        <Stack gap="sm" aria-busy>
          <Skeleton height={20} />
          <Skeleton height={20} />
        </Stack>
      )}
      {result.isError && !result.data && (
        <ErrorPanel error={result.error} retry={() => void result.refetch()} />
      )}
      {result.data?.length === 0 && <Text c="dimmed">{t(`tags:none.${owner.level}`)}</Text>}
      {result.data && result.data.length > 0 && (
        <TagTable owner={owner} tags={result.data} open={mayChange ? setOpened : null} />
      )}
      {(opened?.kind === 'add' || opened?.kind === 'edit') && (
        <TagForm
          key={opened.kind === 'edit' ? opened.tag.key : 'new'}
          owner={owner}
          tag={opened.kind === 'edit' ? opened.tag : null}
          taken={(result.data ?? []).map(({ key }) => key)}
          onClose={close}
        />
      )}
      {opened?.kind === 'delete' && <DeleteTag owner={owner} tag={opened.tag} onClose={close} />}
    </Panel>
  )
}

interface TagTableProps {
  owner: ChosenOwner
  tags: readonly Tag[]
  /** null: the user may not change tags. */
  open: ((opened: Opened) => void) | null
}

function TagTable({ owner, tags, open }: TagTableProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const columns: ListColumn<Tag>[] = [
    { id: 'key', header: t('tags:key'), cell: ({ key }) => <TagName tagKey={key} /> },
    { id: 'value', header: t('tags:value'), cell: ({ value }) => <bdi>{value}</bdi> },
    { id: 'description', header: t('description'), isProse: true, cell: tag => tag.description || '–' },
    { id: 'changedAt', header: t('tags:changed'), cell: tag => format.dateTime(tag.changedAt) },
  ]
  if (open)
    columns.push({
      id: 'menu',
      header: '',
      cell: tag => (
        <MoreMenu
          isInRow
          label={t('list:menuOf', { name: nameTagKey(t, tag.key) })}
          deleteLabel={t('delete')}
          onDelete={() => open({ kind: 'delete', tag })}
        >
          <Menu.Item
            leftSection={<IconEdit size={16} aria-hidden />}
            onClick={() => open({ kind: 'edit', tag })}
          >
            {t('edit')}
          </Menu.Item>
        </MoreMenu>
      ),
    })
  return (
    <PlainTable
      label={t(`tags:own.${owner.level}`)}
      columns={columns}
      rows={tags}
      rowKey={({ uid }) => uid}
    />
  )
}

/** A known key by its name, with the key itself beside it. */
function TagName({ tagKey }: { tagKey: string }) {
  const { t } = useTranslate()
  const name = nameTagKey(t, tagKey)
  return (
    <>
      <bdi>{name}</bdi>
      {name !== tagKey && (
        <Text span inherit c="dimmed" ms={8}>
          <bdi dir="ltr">{tagKey}</bdi>
        </Text>
      )}
    </>
  )
}

function DeleteTag({ owner, tag, onClose }: { owner: ChosenOwner; tag: Tag; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync: remove } = useDeleteTag(owner)
  const name = nameTagKey(t, tag.key)
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={t('tags:delete.title', { name })}
      confirmLabel={t('delete')}
      onConfirm={async () => {
        await remove({ key: tag.key })
        void toast('success', t('tags:delete.done', { name }))
      }}
      onClose={onClose}
    >
      {t(`tags:delete.text.${owner.level}`, { value: tag.value })}
    </ConfirmDialog>
  )
}
