import { useMatches } from '../../platform/media-query.ts'

/** A table in a window of up to 1100 px, where not all columns and filters have room; below 481 px its rows are cards. */
export const useIsNarrow = (): boolean => useMatches('(min-width: 481px) and (max-width: 1100px)')

/** In such a window and on phones, the actions of a list beside its main one are in one menu. */
export const useHasOneMenu = (): boolean => useMatches('(max-width: 1100px)')
