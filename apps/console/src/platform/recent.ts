import { useEffect } from 'react'
import { isRecord } from './stored-shape.ts'
import { readStoredJson, writeStored } from './storage.ts'
import { sessionStore } from './session.ts'

/** An item whose page the user has opened. */
export interface RecentItem {
  path: string
  name: string
}

const KEY = 'floorcast.recent'
const MAX_ITEMS = 8

const isItem = (value: unknown): value is RecentItem =>
  isRecord(value) && typeof value['path'] === 'string' && typeof value['name'] === 'string'

/** The items that this user has opened in this browser, the newest first. */
export function readRecent(): RecentItem[] {
  const stored = readStoredJson(KEY)
  if (!isRecord(stored) || stored['user'] !== sessionStore.get().user?.uid) return []
  return Array.isArray(stored['items']) ? stored['items'].filter(isItem).slice(0, MAX_ITEMS) : []
}

/** Remembers the page of an item as recently opened; one whose item is gone is forgotten. */
export function useRecent(name: string | undefined, isGone: boolean): void {
  useEffect(() => {
    if (name === undefined) return
    const { pathname: path } = window.location
    const others = readRecent().filter(item => item.path !== path)
    const items = isGone ? others : [{ path, name }, ...others].slice(0, MAX_ITEMS)
    writeStored(KEY, JSON.stringify({ user: sessionStore.get().user?.uid, items }))
  }, [name, isGone])
}
