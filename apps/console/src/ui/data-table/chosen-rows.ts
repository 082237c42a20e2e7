import type { Selection } from './list-column.ts'

/** Either the marked rows are chosen, or all that match but the marked ones. */
export interface ChosenRows {
  isAll: boolean
  marked: ReadonlySet<string>
}

export const noRows: ChosenRows = { isAll: false, marked: new Set() }
export const allRows: ChosenRows = { isAll: true, marked: new Set() }

export function isRowChosen({ isAll, marked }: ChosenRows, uid: string): boolean {
  return marked.has(uid) !== isAll
}

/** Chooses or leaves rows; in 'all but' leaving a row marks it. */
export function chooseRows(
  { isAll, marked }: ChosenRows,
  uids: readonly string[],
  isChosen: boolean,
): ChosenRows {
  const next = new Set(marked)
  for (const uid of uids) {
    if (isChosen === isAll) next.delete(uid)
    else next.add(uid)
  }
  return { isAll, marked: next }
}

/** What a bulk action is given. @param total how many match in all */
export function describeSelection({ isAll, marked }: ChosenRows, total: number): Selection {
  return isAll
    ? { kind: 'all', except: [...marked], count: Math.max(0, total - marked.size) }
    : { kind: 'some', uids: [...marked], count: marked.size }
}
