import { useMatches } from '../../platform/media-query.ts'

/** A table in a window where not all columns and filters have room beside the menu; below 481 px its rows are cards. */
export const useIsNarrow = (): boolean => useMatches('(min-width: 481px) and (max-width: 1240px)')

/** On tablets and phones, the actions of a list beside its main one are in one menu. */
export const useHasOneMenu = (): boolean => useMatches('(max-width: 1100px)')
