import type { ReactNode } from 'react'

/** How the name of an item is changed where it stands. */
export interface Renaming {
  name: string
  /** The version that the user sees; a list, which has none, reads it when the editing begins. */
  version: number | (() => Promise<number>)
  /** Changes the name of this version; each change makes the next one. @throws CallError 409 for another version; Refusal */
  save: (change: { name: string; version: number }) => Promise<unknown>
  /** What there is to say of a name while it is typed. */
  hint?: (name: string) => ReactNode
}

/** Of items that some can be renamed; null where the user may rename none. */
export type RenameItem<Item> = ((item: Item) => Renaming | null) | null
