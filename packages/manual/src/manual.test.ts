import { findLanguage } from '@floorcast/contract/locales.ts'
import { expect, it } from 'vitest'
import { findManualFaults } from './manual-checks.ts'
import { renderPage, searchEntries } from './manual-html.ts'
import { fingerprintOf, parsePage, type ManualPage } from './manual-pages.ts'

const english = `---
title: Publish
summary: Put it on the air.
order: 10
console: /deployments/publications
---

## Publish now

1. Choose [[publish:now]].

See [later](#publish-now) and [groups](groups.md).
`
const german = english
  .replace('Publish now', 'Jetzt senden')
  .replace('#publish-now', '#jetzt-senden')
  .replace('---\n\n', `source: ${fingerprintOf(english)}\n---\n\n`)
const groups = english.replace('title: Publish', 'title: Groups').replace('groups.md', 'publish.md')

const words = new Map([
  ['publish:now', 'Publish <now> & "here"'],
  ['publish:later', 'Publish {{name}} later'],
  ...['title', 'summary', 'pages', 'search', 'nothingFound', 'previous', 'next', 'console', 'skip'].map(
    key => [`manual:${key}`, key] as const,
  ),
])
const toPages = (texts: Record<string, string>) =>
  new Map(Object.entries(texts).map(([slug, text]) => [slug, parsePage(slug, text)]))
const all = toPages({ publish: english, groups })
const faultsOf = (code: string, texts: Record<string, string>) =>
  findManualFaults(
    { code, pages: toPages(texts), words },
    code === 'en' ? toPages(texts) : toPages({ publish: english }),
    new Map([['publish', english]]),
  )

it('the checks of the manual find nothing on a page and its translation that are right', () => {
  expect(faultsOf('en', { publish: english, groups })).toEqual([])
  expect(faultsOf('de', { publish: german.replace('groups.md', 'publish.md') })).toEqual([])
})

it('the checks of the manual name a page that is missing, or is behind the English one', () => {
  expect(faultsOf('de', {})).toEqual(['de/publish.md: missing'])
  const behind = german.replace(/source: .*/, 'source: 000000000000').replace('groups.md', 'publish.md')
  expect(faultsOf('de', { publish: behind })).toEqual([
    `de/publish.md: is behind the English page: bring it up to date, then set 'source: ${fingerprintOf(english)}'`,
  ])
})

it.each([
  ['[[publish:now]]', '[[publish:soon]]', 'the console has no text publish:soon'],
  ['[[publish:now]]', '[[publish:later]]', 'publish:later has a placeholder: "Publish {{name}} later"'],
  ['Choose', "Don't choose", "Don't has a straight apostrophe: write ’"],
  ['groups.md', 'nothing.md', 'nothing.md leads to no page'],
  ['#publish-now', '#publish-never', '#publish-never leads to no heading'],
])('the checks of the manual name %s in the place of %s', (right, wrong, fault) => {
  expect(faultsOf('en', { publish: english.replace(right, wrong), groups })).toEqual([
    `en/publish.md: ${fault}`,
  ])
})

it('the checks of the manual name what a translation leaves out', () => {
  const without = german.replace(/1\. .*\n/, '').replace('groups.md', 'publish.md')
  expect(faultsOf('de', { publish: without })).toEqual([
    'de/publish.md: names other texts of the console',
    'de/publish.md: has 0 steps, the English page 1',
  ])
})

it('the checks of the manual refuse a page without one of its lines', () => {
  expect(() => parsePage('publish', english.replace(/order: .*\n/, ''))).toThrow(
    "publish.md has no line 'order:'",
  )
})

const language = {
  locale: findLanguage('en'),
  pages: all,
  words,
  sizeOf: () => ({ width: 4, height: 3 }),
  lettersAt: null,
}
const htmlOf = (body: string) => {
  const page: ManualPage = { ...(all.get('publish') ?? parsePage('publish', english)), body }
  return renderPage(language, page, [findLanguage('ar'), findLanguage('en')])
}

it('a page of the manual has the texts of the console, the addresses of pages and headings, and the languages', () => {
  const html = htmlOf(english.split('---\n')[2] ?? '')
  expect(html).toContain('<b>Publish &#60;now&#62; &#38; &#34;here&#34;</b>')
  expect(html).toContain('<h2 id="publish-now">')
  expect(html).toContain('<a href="#publish-now">later</a>')
  expect(html).toContain('<a href="groups">groups</a>')
  expect(html).toContain('<a href="/manual/ar/publish" hreflang="ar" lang="ar" dir="rtl">')
  expect(html).toContain('<a rel="next" href="groups">')
})

it('a page of the manual shows pictures with their size, and HTML as text', () => {
  expect(htmlOf('![A "list"](pictures/list.png)')).toContain(
    '<img src="pictures/list.png" alt="A &#34;list&#34;" width="4" height="3" loading="lazy">',
  )
  expect(htmlOf('<script>alert(1)</script>')).not.toContain('<script>alert')
})

it('a page of the manual is found by its parts, without marks', () => {
  expect(searchEntries(language).filter(({ slug }) => slug === 'publish')).toEqual([
    { slug: 'publish', title: 'Publish', heading: '', anchor: '', text: 'Put it on the air.' },
    {
      slug: 'publish',
      title: 'Publish',
      heading: 'Publish now',
      anchor: 'publish-now',
      text: 'Choose Publish <now> & "here". See later and groups.',
    },
  ])
})
