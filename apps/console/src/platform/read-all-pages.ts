const concurrentPages = 4

interface PageReading<Item> {
  /** Reads a page, from 1. */
  readPage: (page: number) => Promise<{ items: readonly Item[] }>
  /** Items of a full page. */
  size: number
  onProgress?: ((count: number) => void) | undefined
}

/** All items of a list, several pages at a time. Pages may shift while they are read: each item comes once. */
export async function readAllPages<Item extends { uid: string }>({
  readPage,
  size,
  onProgress,
}: PageReading<Item>): Promise<Item[]> {
  const found: Item[] = []
  for (let first = 1; ; first += concurrentPages) {
    const pages = await Promise.all(Array.from({ length: concurrentPages }, (_, n) => readPage(first + n)))
    found.push(...pages.flatMap(({ items }) => items))
    onProgress?.(found.length)
    // The total of a search stops at 10,000: only a page that is not full is known to be the last.
    if (pages.some(({ items }) => items.length < size)) break
  }
  return [...new Map(found.map(item => [item.uid, item])).values()]
}
