import type { BodyOf, Endpoint } from '@floorcast/contract/endpoint.ts'
import type { Insertable, Updateable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'

/**
 * The input of an insert: the columns of a list, which the statement picks at run time. `Fields` are those that a call gives: one that
 * is not in the list does not compile.
 */
export type InsertOf<
  Table extends keyof Tables,
  Columns extends readonly (keyof Insertable<Tables[Table]>)[],
  Fields extends Columns[number] = never,
> = Pick<Insertable<Tables[Table]>, Columns[number] | Fields>

/** The same for an update; `undefined` leaves a column alone. */
export type UpdateOf<
  Table extends keyof Tables,
  Columns extends readonly (keyof Updateable<Tables[Table]>)[],
  Fields extends Columns[number] = never,
> = Pick<Updateable<Tables[Table]>, Columns[number] | Fields>

/** The fields that an edit may change, without `NotColumn`, which is stored elsewhere. */
export type EditedField<Edit extends Endpoint, NotColumn extends string = never> = Exclude<
  keyof BodyOf<Edit>,
  'uid' | 'version' | NotColumn
>

/** These columns of a row, and no other. */
export const pick = <Row extends object, Column extends keyof Row>(
  row: Row,
  columns: readonly Column[],
): Pick<Row, Column> => Object.fromEntries(columns.map(column => [column, row[column]])) as Pick<Row, Column>
