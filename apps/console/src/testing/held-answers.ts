/** Answers that wait until the test releases them. */
export class HeldAnswers {
  readonly #released = Promise.withResolvers<void>()

  /** An answer that comes when the others are released. */
  of<T>(answer: T): () => Promise<T> {
    return async () => {
      await this.#released.promise
      return answer
    }
  }

  release(): void {
    this.#released.resolve()
  }
}

/** The places of the parts of the page that a selector finds, to the pixel, in the fonts that they are to have. */
export async function placesOf(selector: string): Promise<string[]> {
  await document.fonts.ready
  return [...document.querySelectorAll(selector)].map(part => {
    const { left, top, width, height } = part.getBoundingClientRect()
    return `${part.tagName} ${[left, top, width, height].map(Math.round).join(' ')}`
  })
}

/** How many bars, lines and buttons stand for what has not come. */
export const placeholders = () => document.querySelectorAll('[data-skeleton], [data-visible]').length
