import type { ReactNode } from 'react'
import { isBlank, type ListColumn } from '../data-table/list-column.ts'
import { Field, Fields } from './fields.tsx'

/** How a field stands on an item's card. */
interface OnCard<Card> {
  /** The card's panel, where it has several. */
  panel?: string
  /** Instead of 'unknown' where there is no value. */
  none?: string
  /** Not on every card. */
  isShown?: (card: Card) => boolean
  /** What the card shows where that is more than the list's cell. */
  cardCell?: (card: Card) => ReactNode
}

/** A field of an item: a column of its list, a line of its card or both. Label and value are defined once. */
export type ItemField<Row, Card extends Row> =
  | (ListColumn<Row> & OnCard<Card> & { only?: 'list' })
  | (Pick<ListColumn<Card>, 'id' | 'header' | 'cell' | 'isProse'> & OnCard<Card> & { only: 'card' })

/** The fields that are columns of the list. */
export const listColumns = <Each extends { only?: 'list' | 'card' }>(fields: readonly Each[]) =>
  fields.filter((field): field is Exclude<Each, { only: 'card' }> => field.only !== 'card')

interface ItemFieldsProps<Card> {
  fields: readonly ItemField<Card, Card>[]
  card: Card
  panel?: string
}

/** The fields of a card, or of one of its panels. */
export function ItemFields<Card>({ fields, card, panel }: ItemFieldsProps<Card>) {
  const shown = fields.filter(
    field => field.only !== 'list' && field.panel === panel && (field.isShown?.(card) ?? true),
  )
  return (
    <Fields>
      {shown.map(({ id, header, cell, cardCell = cell, isProse = false, none }) => {
        const value = cardCell(card)
        return (
          <Field key={id} label={header} isWide={isProse && !isBlank(value)}>
            {isBlank(value) ? none : value}
          </Field>
        )
      })}
    </Fields>
  )
}
