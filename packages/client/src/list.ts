/** A page of a list. */
export interface Page<Row> {
  items: Row[]
  /** The items of all pages; it stops at 10,000 for a search, in the audit and in logs. */
  total: number
  /** There are more items than `total`. */
  more?: true
  /** From 1. */
  page: number
  /** Items of a page. */
  size: number
}

const LARGEST_PAGE = 200

/**
 * A list: `await` gives the page that the input asks for, `for await` one item after the other of that page and all further ones.
 * It holds one page at a time. Of a list that changes meanwhile an item may come twice, or not at all.
 */
export class List<Row> implements PromiseLike<Page<Row>>, AsyncIterable<Row> {
  readonly #read: (paging: { page?: number; size?: number }) => Promise<Page<Row>>
  readonly #asked: { page?: number; size?: number }

  /** @param read asks for a page */
  constructor(
    asked: { page?: number; size?: number },
    read: (paging: { page?: number; size?: number }) => Promise<Page<Row>>,
  ) {
    this.#asked = asked
    this.#read = read
  }

  // eslint-disable-next-line unicorn/no-thenable -- `await` and `for await` on one value
  then<Given = Page<Row>, Failed = never>(
    onPage?: ((page: Page<Row>) => Given | PromiseLike<Given>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Given | Failed> {
    return this.#read({}).then(onPage, onError)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    const { page: first = 1, size = LARGEST_PAGE } = this.#asked
    for (let page = first; ; page += 1) {
      const answer = await this.#read({ page, size })
      yield* answer.items
      if (answer.items.length < answer.size) return
    }
  }
}
