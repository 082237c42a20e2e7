import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A page of the manual: `docs/manual/<language>/<slug>.md`. */
export interface ManualPage {
  slug: string
  title: string
  /** One sentence, for the list of pages and the search. */
  summary: string
  /** Pages are listed by it. */
  order: number
  /** The routes of the console whose help leads here, without `:uid`. */
  routes: readonly string[]
  /** The fingerprint of the English page that a translation was made from; null for English. */
  source: string | null
  /** Markdown; `[[noun:key]]` is a text of the console. */
  body: string
}

/** The pages of a language by their slugs, in their order. */
export type ManualPages = ReadonlyMap<string, ManualPage>

/** Parses a page: lines of `key: value` between two of `---`, and the text. @throws Error if a line is missing */
export function parsePage(slug: string, text: string): ManualPage {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
  const fields = new Map(
    head.split('\n').map(line => {
      const [name = '', ...value] = line.split(':')
      return [name.trim(), value.join(':').trim()] as const
    }),
  )
  const field = (name: string) => {
    const value = fields.get(name)
    if (value === undefined) throw new Error(`${slug}.md has no line '${name}:'`)
    return value
  }
  return {
    slug,
    title: field('title'),
    summary: field('summary'),
    order: Number(field('order')),
    routes: field('console')
      .split(',')
      .map(route => route.trim())
      .filter(Boolean),
    source: fields.get('source') ?? null,
    body,
  }
}

/** The fingerprint of an English page. Each translation names the one that it was made from. */
export const fingerprintOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)

/** The languages that have a manual. */
export const readLanguages = (folder: string): string[] =>
  readdirSync(folder).filter(name => existsSync(join(folder, name, 'start.md')))

/** Reads the pages of a language. */
export function readPages(folder: string): ManualPages {
  const pages = readdirSync(folder)
    .filter(name => name.endsWith('.md'))
    .map(name => parsePage(name.slice(0, -'.md'.length), readFileSync(join(folder, name), 'utf8')))
  return new Map(pages.toSorted((one, other) => one.order - other.order).map(page => [page.slug, page]))
}

/** The address of a heading on its page, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
