import type { SavedView, ViewedList } from '@floorcast/contract/saved-views.ts'
import { Button, Text } from '@mantine/core'
import {
  IconCheck,
  IconChevronDown,
  IconDeviceFloppy,
  IconLayoutList,
  IconLink,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUsers,
  IconUserMinus,
  type Icon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useFormat } from '../../../platform/format.ts'
import { useTranslate } from '../../../platform/i18n.ts'
import { toastFailure } from '../../../platform/outcomes.ts'
import { useMayChange } from '../../../platform/session.ts'
import { toast } from '../../../platform/toasts.ts'
import { Menu } from '../../overlay/overlays.tsx'
import type { ListControl } from '../use-list.ts'
import { savedViewsQuery, useEditSavedView, useShareSavedView } from './saved-views-data.ts'
import styles from './saved-views.module.css'
import { contentOf, isChanged, type ViewContent } from './view-content.ts'
import { ViewDialog, type ViewQuestion } from './view-dialog.tsx'

interface ViewMenuProps {
  list: ListControl
  /** The ids of the columns that are shown. */
  columns: readonly string[]
}

/** The saved views of a list: opens one, and saves what the list shows as one. A list that keeps none has no menu. */
export function ViewMenu({ list, columns }: ViewMenuProps) {
  return list.saved.list ? <MenuOfViews list={list} of={list.saved.list} columns={columns} /> : null
}

function MenuOfViews({ list, of, columns }: ViewMenuProps & { of: ViewedList }) {
  const { t } = useTranslate()
  const [question, setQuestion] = useState<ViewQuestion | null>(null)
  const { view } = list.saved
  const content = contentOf(list.view, columns)
  const actions = useViewActions(list)
  return (
    <>
      <Menu position="bottom-start" width={280} withinPortal={false}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            className={styles.target}
            leftSection={<IconLayoutList size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            <span className={styles.name}>
              {t('list:views.current', { name: view?.name ?? t('list:views.all') })}
            </span>
            {view && isChanged(list.saved, content) && (
              <Text span inherit c="dimmed" className={styles.changed}>
                {t('list:views.changed')}
              </Text>
            )}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ViewItems list={list} of={of} />
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setQuestion({ kind: 'add', list: of, content })}
          >
            {t('list:views.add')}
          </Menu.Item>
          {view && (
            <OpenViewItems list={list} view={view} content={content} actions={actions} ask={setQuestion} />
          )}
        </Menu.Dropdown>
      </Menu>
      {question && <ViewDialog question={question} open={list.open} onClose={() => setQuestion(null)} />}
    </>
  )
}

/** Everything, the user's own views, and the shared ones. */
function ViewItems({ list, of }: { list: ListControl; of: ViewedList }) {
  const { t } = useTranslate()
  const { compareNames } = useFormat()
  const views = useQuery(savedViewsQuery(of))
  const itemOf = (uid: string | null, name: ReactNode) => {
    const isCurrent = (list.saved.view?.uid ?? null) === uid
    return (
      <Menu.Item
        key={uid ?? ''}
        aria-current={isCurrent}
        rightSection={isCurrent && <IconCheck size={16} aria-hidden />}
        onClick={() => list.open(uid)}
      >
        {name}
      </Menu.Item>
    )
  }
  const itemsOf = (title: string, areShared: boolean) => {
    const some = (views.data ?? [])
      .filter(({ isShared }) => isShared === areShared)
      .toSorted((one, other) => compareNames(one.name, other.name))
    if (some.length === 0) return null
    return (
      <>
        <Menu.Label>{title}</Menu.Label>
        {some.map(({ uid, name }) => itemOf(uid, <bdi>{name}</bdi>))}
      </>
    )
  }
  return (
    <div className={styles.views}>
      {itemOf(null, t('list:views.all'))}
      {itemsOf(t('list:views.own'), false)}
      {itemsOf(t('list:views.shared'), true)}
      {views.isPending && <Menu.Label role="status">{t('loading')}</Menu.Label>}
      {views.isError && <Menu.Label role="status">{t('failedTitle')}</Menu.Label>}
    </div>
  )
}

interface OpenViewItemsProps {
  list: ListControl
  view: SavedView
  content: ViewContent
  actions: ReturnType<typeof useViewActions>
  ask: (question: ViewQuestion) => void
}

/** The actions on the open view. */
function OpenViewItems({ list, view, content, actions, ask }: OpenViewItemsProps) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  const { uid, name, version, isShared } = view
  const mayEdit = mayChange || !isShared
  const items: (ViewItem | false)[] = [
    mayEdit &&
      isChanged(list.saved, content) && {
        label: t('list:views.save'),
        icon: IconDeviceFloppy,
        run: () => actions.save(view, content),
      },
    mayEdit && {
      label: t('list:views.rename'),
      icon: IconPencil,
      run: () => ask({ kind: 'rename', uid, name, version }),
    },
    mayChange && {
      label: t(isShared ? 'list:views.unshare' : 'list:views.share'),
      icon: isShared ? IconUserMinus : IconUsers,
      run: () => actions.share(view),
    },
    'clipboard' in navigator && { label: t('list:views.copyLink'), icon: IconLink, run: actions.copyLink },
    mayEdit && {
      label: t('list:views.delete'),
      icon: IconTrash,
      isDanger: true,
      run: () => ask({ kind: 'delete', uid, name, isShared }),
    },
  ]
  return items
    .filter(item => item !== false)
    .map(({ label, icon: Glyph, isDanger = false, run }) => (
      <Menu.Item
        key={label}
        leftSection={<Glyph size={16} aria-hidden />}
        {...(isDanger ? { c: 'var(--fc-down)' } : {})}
        onClick={run}
      >
        {label}
      </Menu.Item>
    ))
}

interface ViewItem {
  label: string
  icon: Icon
  isDanger?: boolean
  run: () => void
}

/** The actions of the menu that need no dialog. This hook outlives the menu's items, which go when one is clicked. */
function useViewActions({ open, link }: Pick<ListControl, 'link' | 'open'>) {
  const { t } = useTranslate()
  const { mutateAsync: edit } = useEditSavedView()
  const { mutateAsync: share } = useShareSavedView()
  const attempt = (work: Promise<unknown>, done: string) =>
    void work.then(
      () => void toast('success', done),
      (error: unknown) => toastFailure(error),
    )
  return {
    save: ({ uid, version, name }: SavedView, content: ViewContent) =>
      attempt(
        edit({ uid, version, ...content }).then(() => open(uid)),
        t('list:views.saved', { name }),
      ),
    share: ({ uid, name, isShared }: SavedView) =>
      attempt(
        share({ uid, isShared: !isShared }),
        t(isShared ? 'list:views.unshared' : 'list:views.nowShared', { name }),
      ),
    copyLink: () => attempt(navigator.clipboard.writeText(link()), t('copied')),
  }
}
