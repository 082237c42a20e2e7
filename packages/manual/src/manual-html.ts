import type { Catalogue } from '@floorcast/locales/catalogue-files.ts'
import type { Locale } from '@floorcast/contract/locales.ts'
import { Marked, type Tokens } from 'marked'
import { anchorOf, type ManualPage, type ManualPages } from './manual-pages.ts'

/** What a language's manual is written with. */
export interface ManualLanguage {
  locale: Locale
  pages: ManualPages
  /** The texts of the console in this language, and of the manual's own frame (`manual.json`). */
  words: Catalogue
  /** Width and height of a picture by its address on a page; null if there is none. */
  sizeOf: (picture: string) => { width: number; height: number } | null
  /** The address of styles with letters that many machines lack; null: the system's fonts have them. */
  lettersAt: string | null
}

/** A part of a page under a heading, for the search. */
export interface SearchEntry {
  slug: string
  title: string
  /** Empty for the part before the first heading. */
  heading: string
  /** The anchor of the heading on its page; empty without a heading. */
  anchor: string
  text: string
}

const escape = (text: string) => text.replaceAll(/[&<>"]/g, sign => `&#${sign.codePointAt(0)};`)

const LABEL = /^\[\[([a-zA-Z]+:[\w.-]+)\]\]/

/** A text of the console. @throws Error for a key that it has not */
export function labelOf(words: Catalogue, key: string): string {
  const text = words.get(key)
  if (text === undefined) throw new Error(`The manual names the text ${key}, which the console has not`)
  return text
}

/** Markdown → HTML: labels of the console, addresses of other pages and of headings, sizes of pictures. */
function markdownOf({ words, sizeOf }: ManualLanguage): Marked {
  const marked = new Marked()
  marked.use({
    extensions: [
      {
        name: 'label',
        level: 'inline',
        start: source => source.indexOf('[['),
        tokenizer(source) {
          const [raw, key] = LABEL.exec(source) ?? []
          return raw === undefined || key === undefined ? undefined : { type: 'label', raw, key }
        },
        renderer: token => `<b>${escape(labelOf(words, String(token['key'])))}</b>`,
      },
    ],
    renderer: {
      html: ({ text }) => escape(text),
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${escape(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const address = href.replace(/^([\w-]+)\.md(?=#|$)/, '$1')
        return `<a href="${escape(address)}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }: Tokens.Image) {
        const size = sizeOf(href)
        const area = size ? ` width="${size.width}" height="${size.height}"` : ''
        return `<img src="${escape(href)}" alt="${escape(text)}"${area} loading="lazy">`
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: 'td' | 'th') =>
          `<tr>${cells.map(cell => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map(cells => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  return marked
}

/** The text of a page in parts, without marks. */
export function searchEntries({ pages, words }: ManualLanguage): SearchEntry[] {
  const plain = (text: string) =>
    text
      .replaceAll(/\[\[([^\]]+)\]\]/g, (_, key: string) => labelOf(words, key))
      .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/^\s*(?:[-*>|]|\d+\.)\s*|[*`|]|-{3,}/gm, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  return [...pages.values()].flatMap(({ slug, title, summary, body }) => {
    const [first = '', ...parts] = body.split(/^## /m)
    const sections = parts.map(part => {
      const [heading = '', ...lines] = part.split('\n')
      return {
        slug,
        title,
        heading: heading.trim(),
        anchor: anchorOf(heading),
        text: plain(lines.join('\n')),
      }
    })
    return [{ slug, title, heading: '', anchor: '', text: plain(`${summary} ${first}`) }, ...sections]
  })
}

interface Frame {
  /** All languages that have a manual. */
  locales: readonly Locale[]
  title: string
  summary: string
  /** The page's name in its address; empty for the list of pages. */
  slug: string
  content: string
}

function frame(language: ManualLanguage, { locales, title, summary, slug, content }: Frame): string {
  const { locale, pages, words, lettersAt } = language
  const letters = lettersAt === null ? '' : `<link rel="stylesheet" href="${escape(lettersAt)}">\n`
  const word = (key: string) => escape(labelOf(words, `manual:${key}`))
  const links = [...pages.values()].map(page => {
    const current = page.slug === slug ? ' aria-current="page"' : ''
    return `<li><a href="${page.slug}"${current}>${escape(page.title)}</a></li>`
  })
  const languages = locales.map(
    ({ code, tag, dir, name }) =>
      `<li><a href="/manual/${code}/${slug}" hreflang="${tag}" lang="${tag}" dir="${dir}"${code === locale.code ? ' aria-current="true"' : ''}>${name}</a></li>`,
  )
  return `<!doctype html>
<html lang="${locale.tag}" dir="${locale.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escape(summary)}">
<title>${escape(title)} · ${word('title')} · Floorcast</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="/manual/manual.css">
${letters}<script src="/manual/manual.js" defer></script>
</head>
<body>
<a class="skip" href="#content">${word('skip')}</a>
<header>
<a class="brand" href="./"><img src="/favicon.svg" alt="" width="28" height="28"> <span>Floorcast</span> <span class="of">${word('title')}</span></a>
<form role="search" data-none="${word('nothingFound')}">
<label for="search">${word('search')}</label>
<input id="search" type="search" placeholder="${word('search')}" autocomplete="off" maxlength="100">
<div id="found" role="status"></div>
</form>
<details><summary>${locale.name}</summary><ul>${languages.join('')}</ul></details>
<a class="console" href="/">${word('console')}</a>
</header>
<div class="columns">
<nav aria-label="${word('pages')}"><ol>${links.join('\n')}</ol></nav>
<main id="content" tabindex="-1">
<h1>${escape(title)}</h1>
${content}
</main>
</div>
</body>
</html>
`
}

/** A page as HTML, with the ones before and after it. */
export function renderPage(
  language: ManualLanguage,
  { slug, title, summary, body }: ManualPage,
  locales: readonly Locale[],
): string {
  const { pages, words } = language
  const all = [...pages.values()]
  const at = all.findIndex(page => page.slug === slug)
  const step = (page: ManualPage | undefined, key: string, rel: string) =>
    page
      ? `<a rel="${rel}" href="${page.slug}"><small>${escape(labelOf(words, `manual:${key}`))}</small> ${escape(page.title)}</a>`
      : '<span></span>'
  const text = markdownOf(language).parse(body, { async: false })
  const steps = `<footer>${step(all[at - 1], 'previous', 'prev')}${step(all[at + 1], 'next', 'next')}</footer>`
  const content = `<p class="summary">${escape(summary)}</p>\n${text}\n${steps}`
  return frame(language, { locales, title, summary, slug, content })
}

/** The list of all pages as HTML. */
export function renderIndex(language: ManualLanguage, locales: readonly Locale[]): string {
  const { pages, words } = language
  const items = [...pages.values()].map(
    ({ slug, title, summary }) => `<li><a href="${slug}">${escape(title)}</a><p>${escape(summary)}</p></li>`,
  )
  const title = labelOf(words, 'manual:title')
  const summary = labelOf(words, 'manual:summary')
  const content = `<p class="summary">${escape(summary)}</p><ul class="cards">${items.join('\n')}</ul>`
  return frame(language, { locales, title, summary, slug: '', content })
}
