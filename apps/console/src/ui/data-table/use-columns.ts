import { useState } from 'react'
import { readStoredJson, writeStored } from '../../platform/storage.ts'
import type { ListColumn } from './list-column.ts'

/** Which columns of a list are shown, remembered in this browser by the list's name. */
export function useColumns<Row>(list: string, columns: readonly ListColumn<Row>[]) {
  const key = `floorcast.columns.${list}`
  const [chosen, choose] = useState(() => readChosen(key))
  const isShown = (column: ListColumn<Row>) => chosen[column.id] ?? !column.isHiddenAtFirst
  const visibility = Object.fromEntries(columns.map(column => [column.id, isShown(column)]))
  const toggle = (id: string) => {
    const next = { ...chosen, [id]: !visibility[id] }
    choose(next)
    writeStored(key, JSON.stringify(next))
  }
  return { visibility, toggle }
}

function readChosen(key: string): Record<string, boolean> {
  const kept = readStoredJson(key)
  if (typeof kept !== 'object' || kept === null) return {}
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => typeof value === 'boolean'))
}
