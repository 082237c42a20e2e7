import type { BrowserContext, Page } from 'playwright-core'

/*
 * A language for tests: every text of the catalogues in brackets, with accents, and 40 % longer. What stands on a page outside of the
 * brackets has not gone through a catalogue.
 */

/** Turns the texts of the console's English catalogue into the pseudo-language, as the browser reads them. */
export async function speakPseudo(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const accents: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', O: 'Ó' }
    /** Placeholders, nested texts and tags stay. */
    const accent = (text: string) =>
      text
        .split(/(\{\{[^}]*\}\}|\$t\([^)]*\)|<[^>]*>)/)
        .map((part, at) =>
          at % 2 === 1 ? part : part.replaceAll(/[aeiouAEO]/g, sign => accents[sign] ?? sign),
        )
        .join('')
    const toPseudo = (value: unknown): unknown => {
      if (typeof value === 'string')
        return `⟦${accent(value)}${'~'.repeat(Math.ceil(value.replaceAll(/\{\{[^}]*\}\}/g, '').length * 0.4))}⟧`
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPseudo(inner)]))
    }
    const isCatalogue = (value: unknown): boolean =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length > 0 &&
      Object.values(value).every(isTexts)
    const isTexts = (value: unknown): boolean =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length > 0 &&
      Object.values(value).every(inner => typeof inner === 'string' || isTexts(inner))
    const parse = JSON.parse.bind(JSON)
    // The build writes each part of a catalogue as `JSON.parse(…)` of its texts by file. No answer of the server has this shape.
    JSON.parse = (text: string, ...more: []) => {
      const value: unknown = parse(text, ...more)
      return isCatalogue(value) ? toPseudo(value) : value
    }
  })
}

/** Texts of the page and of its labels, each with the words outside of the brackets; those that `isData` knows are left out. */
export async function findUnbracketed(page: Page, isData: (text: string) => boolean): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found = new Set<string>()
    const isHidden = (element: Element | null) =>
      element?.closest('script, style, code, bdi, [data-pseudo-skip]') !== null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    // A sentence with marks in it is several nodes: the block as a whole has the brackets.
    const blockOf = (node: Node) => {
      let element = node.parentElement
      while (
        element &&
        /^(?:A|B|BDI|EM|I|KBD|SMALL|SPAN|STRONG|TIME)$/.test(element.tagName) &&
        element.parentElement
      )
        element = element.parentElement
      return element
    }
    const blocks = new Set<Element>()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const block = blockOf(node)
      if (block && !isHidden(node.parentElement)) blocks.add(block)
    }
    for (const block of blocks) {
      const copy = block.cloneNode(true) as Element
      for (const data of copy.querySelectorAll('bdi, code, script, style, kbd, time')) data.remove()
      const own = [...copy.childNodes].map(node => node.textContent ?? '').join(' ')
      found.add(own)
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const text = element.getAttribute(name)
        if (text !== null && !isHidden(element)) found.add(text)
      }
    return [...found]
  })
  const outside = texts.map(text => {
    let rest = text
    // Brackets nest where a text is put into another one.
    for (let before = ''; before !== rest;) {
      before = rest
      rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
    }
    return rest.replaceAll(/\s+/g, ' ').trim()
  })
  return [...new Set(outside)].filter(rest => /\p{L}{2}/u.test(rest) && !isData(rest))
}
