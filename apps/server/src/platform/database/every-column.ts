/**
 * Every column of a write; `undefined` leaves one alone. A literal that `satisfies EveryColumn<Write>` names them all: when
 * `Write` gets another column, the statement does not compile before it writes it.
 */
export type EveryColumn<Write> = {
  [Column in keyof Write]-?: Write[Column] | undefined
} & Record<string, unknown>
