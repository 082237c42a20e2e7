import { foldText } from '@floorcast/contract/fold-text.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import type { SessionUser } from '@floorcast/contract/auth.ts'
import {
  IconBroadcast,
  IconHeadphones,
  IconHistory,
  IconPencilPause,
  IconPlayerPlay,
  IconTags,
  type Icon,
} from '@tabler/icons-react'
import { publishAddress } from '../../platform/publish-address.ts'
import { paths } from '../../platform/paths.ts'
import { isSpaceless } from '../../platform/spaceless.ts'
import type { Found } from './find-items.ts'

export const paletteActions = [
  'activate',
  'pause',
  'publish',
  'listen',
  'playLog',
  'tags',
  'history',
] as const
export type PaletteAction = (typeof paletteActions)[number]

export const actionIcons: Record<PaletteAction, Icon> = {
  activate: IconPlayerPlay,
  pause: IconPencilPause,
  publish: IconBroadcast,
  listen: IconHeadphones,
  playLog: IconHistory,
  tags: IconTags,
  history: IconHistory,
}

/** Whether this user may ever do it. */
export function mayDo(
  action: PaletteAction,
  { role, rights }: Pick<SessionUser, 'role' | 'rights'>,
): boolean {
  if (role === 'streamer') return false
  if (action === 'activate' || action === 'pause' || action === 'publish') return rights === 'full'
  return action === 'listen' || role === 'admin'
}

/** The effect of an action on an item: it opens a page, or changes a state; null: it does not fit the item. */
export type ActionStep =
  | { path: string }
  | { kind: 'group' | 'playlist'; uid: string; from: EditState }
  | null

export function stepOf(action: PaletteAction, item: Found): ActionStep {
  const { kind, uid, path, state } = item
  switch (action) {
    case 'activate':
    case 'pause': {
      const from = action === 'activate' ? 'paused' : 'active'
      return (kind === 'group' || kind === 'playlist') && state === from ? { kind, uid, from } : null
    }
    case 'publish':
      return kind === 'group' || kind === 'playlist' || kind === 'device'
        ? { path: publishAddress(path, { [kind]: uid }) }
        : null
    case 'listen':
      return kind === 'device' ? { path: paths.streaming(uid) } : null
    case 'playLog':
      return kind === 'device' ? { path: paths.deviceLog('playtrack', uid) } : null
    case 'tags':
      return kind === 'device' || kind === 'group' ? { path: paths.tagsOf(kind, uid) } : null
    case 'history':
      return { path: paths.auditOf(uid) }
  }
}

const wordsOf = (text: string) =>
  foldText(text)
    .split(/[\s…]+/)
    .filter(word => word !== '')

/** The text that begins an action: 'Play log of ', '发布'. @param label as of `splitAction` */
export function actionStart(label: string): string {
  const [before = '', after = ''] = label.split('…').map(part => part.trim())
  if (isSpaceless(label)) return before || after
  return `${label.replace('…', '').trim()} `
}

/** The same split where nothing stands between the action and the name: '发布南京路店' publishes '南京路店'. */
function splitSpaceless(text: string, label: string): string | null {
  const [before = '', after = ''] = label.split('…').map(part => foldText(part.trim()))
  const typed = foldText(text.trim())
  const start = before || after
  if (typed === '' || !isSpaceless(start)) return null
  if (start.startsWith(typed)) return ''
  if (!typed.startsWith(start)) return null
  const rest = typed.slice(start.length)
  return (before !== '' && after !== '' && rest.endsWith(after) ? rest.slice(0, -after.length) : rest).trim()
}

/**
 * Splits what was typed into an action and the name of an item: 'play log bak' is the play log of 'bak'. Each typed word that
 * begins the next words of the action's name belongs to it; small words of the name may be left out.
 * @param label the action's name, such as 'Play log of …'
 * @returns the rest; null if the text does not begin with the action
 */
export function splitAction(text: string, label: string): string | null {
  const typed = wordsOf(text)
  const words = wordsOf(label)
  let used = 0
  let at = 0
  while (used < typed.length && at < words.length) {
    const found = words.findIndex((word, index) => index >= at && word.startsWith(typed[used] ?? ''))
    if (found < 0) break
    at = found + 1
    used += 1
  }
  // The first word names the action: without it, 'of' would be one.
  const [first = ''] = words
  if (used === 0 || !first.startsWith(typed[0] ?? '')) return splitSpaceless(text, label)
  return typed.slice(used).join(' ')
}
