/**
 * The header by which a caller says how it takes a file: `redirect` (302 to a signed address of the store), or `address` (204 with the
 * same Location, for pages, which cannot see where a redirect leads). Any other value, or none: the bytes.
 */
export const FILES_HEADER = 'floorcast-files'
