import type { PageName } from '@floorcast/contract/console-routes.ts'
import { foldText } from '@floorcast/contract/fold-text.ts'
import {
  IconBroadcast,
  IconClockHour4,
  IconDeviceSpeaker,
  IconMusic,
  IconPlaylist,
  IconStack2,
  type Icon,
} from '@tabler/icons-react'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { readRecent } from '../../platform/recent.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { isSearchable, isSpaceless } from '../../platform/spaceless.ts'
import { pages } from '../pages.ts'
import { sectionsFor } from '../sections.ts'
import { foundQuery, type Found, type FoundKind } from './find-items.ts'
import {
  actionIcons,
  actionStart,
  mayDo,
  paletteActions,
  splitAction,
  stepOf,
  type ActionStep,
  type PaletteAction,
} from './palette-actions.ts'

const icons: Record<FoundKind, Icon> = {
  device: IconDeviceSpeaker,
  group: IconStack2,
  media: IconMusic,
  playlist: IconPlaylist,
  publication: IconBroadcast,
}

/** A line of the palette: it opens a page, changes a state, or completes what is typed. */
export interface Entry {
  key: string
  name: string
  hint: string
  icon: Icon
  step: NonNullable<ActionStep> | { complete: string }
}

/** An action that the text begins with, and the rest of the text. */
interface TypedAction {
  action: PaletteAction
  rest: string
}

/** The name of an action without an item: 'Play log of …'. */
const nameAction = (t: Translate, action: PaletteAction) => t(`palette:actions.${action}`, { name: '…' })

function readActions(t: Translate, text: string, user: Parameters<typeof mayDo>[1]): TypedAction[] {
  return paletteActions
    .filter(action => mayDo(action, user))
    .flatMap(action => {
      const rest = splitAction(text, nameAction(t, action))
      return rest === null ? [] : [{ action, rest }]
    })
}

/** The entries for a text: pages, items, and actions on items; for an empty one, what was opened lately. */
export function useEntries(text: string): { entries: Entry[]; isSearching: boolean; isFailed: boolean } {
  const { t } = useTranslate()
  const user = useSignedInUser()
  const wanted = foldText(text.trim())
  const typed = readActions(t, text, user)
  // 'play log bak' searches 'bak'; where several actions fit, the longest takes most words.
  const rest = typed.map(each => each.rest).toSorted((a, b) => a.length - b.length)[0] ?? ''
  const isAction = isSearchable(rest)
  const [search] = useDebouncedValue(isAction ? rest : wanted, 200)
  const found = useQuery(foundQuery(user.role === 'streamer' ? '' : search))
  const items = isSearchable(wanted) ? (found.data ?? []) : []
  // Without a space between them, an action may be the beginning of a name.
  const named = useNamed(isAction && isSpaceless(wanted) && user.role !== 'streamer' ? wanted : '')
  const pages = pageEntries(t, user).filter(({ name }) => foldText(name).includes(wanted))
  const entries = [
    ...(wanted === '' ? recentEntries(t) : []),
    ...(isAction ? actionEntries(t, typed, items) : []),
    ...pages,
    ...[...items, ...named.filter(({ uid }) => items.every(item => item.uid !== uid))].map(item =>
      itemEntry(t, item),
    ),
    ...(wanted === '' ? [] : typed.filter(each => each.rest === '').map(each => completion(t, each.action))),
  ]
  return { entries, isSearching: found.isFetching, isFailed: found.isError }
}

/** The items of a whole text; none for a text that is not searched. */
function useNamed(text: string): readonly Found[] {
  const [search] = useDebouncedValue(text, 200)
  const { data } = useQuery(foundQuery(search))
  return isSearchable(text) ? (data ?? []) : []
}

/** Pages of the account, which are not in the menu. */
const menuless: ReadonlySet<PageName> = new Set<PageName>(['profile', 'pricing'])

/** The pages of the menu, and those of the account. */
const pageEntries = (t: Translate, user: Parameters<typeof sectionsFor>[0]): Entry[] =>
  [
    ...sectionsFor(user).flatMap(section => section.pages.map(page => ({ ...page, section: section.name }))),
    ...pages.filter(({ name, roles }) => menuless.has(name) && (roles?.includes(user.role) ?? true)),
  ].map(page => ({
    key: page.path,
    name: t(`routes:${page.name}`),
    hint: t(`routes:sections.${page.section}`),
    icon: page.icon,
    step: { path: page.path },
  }))

const recentEntries = (t: Translate): Entry[] =>
  readRecent().map(({ path, name }) => ({
    key: `recent ${path}`,
    name,
    hint: t('palette:recent'),
    icon: IconClockHour4,
    step: { path },
  }))

const itemEntry = (t: Translate, { uid, name, kind, path }: Found): Entry => ({
  key: uid,
  name,
  hint: t(`palette:kinds.${kind}`),
  icon: icons[kind],
  step: { path },
})

const actionEntries = (t: Translate, typed: readonly TypedAction[], items: readonly Found[]): Entry[] =>
  typed.flatMap(({ action }) =>
    items.flatMap(item => {
      const step = stepOf(action, item)
      if (!step) return []
      return {
        key: `${action} ${item.uid}`,
        name: t(`palette:actions.${action}`, { name: item.name }),
        hint: t(`palette:kinds.${item.kind}`),
        icon: actionIcons[action],
        step,
      }
    }),
  )

/** An action whose item is still to be typed. */
const completion = (t: Translate, action: PaletteAction): Entry => ({
  key: action,
  name: nameAction(t, action),
  hint: t('palette:action'),
  icon: actionIcons[action],
  step: { complete: actionStart(nameAction(t, action)) },
})
