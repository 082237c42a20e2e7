import type { ReactNode } from 'react'
import { useMayChange } from './session.ts'

/** How the name of an item is changed where it stands. */
export interface Renaming {
  name: string
  /** The version that the user sees; a list, which has none, reads it when the editing begins. */
  version: number | (() => Promise<number>)
  /** Changes the name of this version; each change makes the next one. @throws CallError 409 for another version; Refusal */
  save: (change: { name: string; version: number }) => Promise<unknown>
  /** The error of a name while it is typed. */
  hint?: (name: string) => ReactNode
}

/** The renaming of each item that the user may rename; null if there is none. */
export type RenameItem<Item> = ((item: Item) => Renaming | null) | null

interface Named {
  uid: string
  name: string
  version?: number
}

interface RenamingParts<Item> {
  edit: (change: { uid: string; name: string; version: number }) => Promise<unknown>
  /** The card, for the version; a list whose rows have one needs none. */
  read?: (uid: string) => Promise<{ version: number }>
  /** Whether it can be renamed now; always by default. */
  mayRename?: (item: Item) => boolean
}

/** Renames an item by its edit. */
export function useRenaming<Item extends Named>({
  edit,
  read,
  mayRename = () => true,
}: RenamingParts<Item>): RenameItem<Item> {
  if (!useMayChange()) return null
  return item => {
    const { uid, name, version } = item
    const known = version ?? (read && (async () => (await read(uid)).version))
    if (known === undefined || !mayRename(item)) return null
    return { name, version: known, save: change => edit({ uid, ...change }) }
  }
}
