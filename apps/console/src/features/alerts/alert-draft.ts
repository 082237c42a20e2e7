import type { AlertKind } from '@floorcast/contract/alert-kind.ts'

/** The user's choices so far. Nothing is chosen at first: neither a drill nor a real alert begins by accident. */
export interface AlertDraft {
  /** A device's or a group's uid, or `all`. */
  target: string | null
  kind: AlertKind | null
  isDrill: boolean | null
}

/** A draft without gaps. */
export interface ChosenAlert {
  target: string
  kind: AlertKind
  isDrill: boolean
}

/** Null while something is not chosen. */
export const chosenOf = ({ target, kind, isDrill }: AlertDraft): ChosenAlert | null =>
  target !== null && kind !== null && isDrill !== null ? { target, kind, isDrill } : null
