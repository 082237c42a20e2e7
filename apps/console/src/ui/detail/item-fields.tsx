import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isBlank, type ListColumn } from '../data-table/list-column.ts'
import { Field, Fields } from './fields.tsx'

/** How a field stands on an item's card. */
interface OnCard<Card> {
  /** The card's panel, where it has several. */
  panel?: string
  /** Instead of 'unknown' where there is no value. */
  none?: string
  /** Whether some cards lack the field. */
  isShown?: (card: Card) => boolean
  /** The cell of the card, where it shows more than the list's. */
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
  /** Says once which fields have no value; without it each of them says so. */
  describeLacking?: (labels: readonly string[]) => string
}

/** The fields of a card, or of one of its panels. */
export function ItemFields<Card>({ fields, card, panel, describeLacking }: ItemFieldsProps<Card>) {
  const shown = fields
    .filter(field => field.only !== 'list' && field.panel === panel && (field.isShown?.(card) ?? true))
    .map(field => ({ ...field, value: (field.cardCell ?? field.cell)(card) }))
  const lacking = describeLacking
    ? shown.filter(({ value, none }) => isBlank(value) && none === undefined)
    : []
  return (
    <>
      <Fields>
        {shown
          .filter(field => !lacking.includes(field))
          .map(({ id, header, isProse = false, none, value }) => (
            <Field key={id} label={header} isWide={isProse && !isBlank(value)}>
              {isBlank(value) ? none : value}
            </Field>
          ))}
      </Fields>
      {describeLacking && lacking.length > 0 && (
        <Text c="dimmed" size="sm" {...(lacking.length < shown.length ? { mt: 'md' } : {})}>
          {describeLacking(lacking.map(({ header }) => header))}
        </Text>
      )}
    </>
  )
}
