import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles, ownRoot } from './source-files.ts'

const files = listFiles(ownRoot, [
  '{apps,packages,testing,tools,bench,e2e}/**/*.{test,slow,long,attack}.{ts,tsx}',
])

/** The titles of blocks that only put words before those of their tests. */
function listSplitTitles(text: string): string[] {
  const blocks = [...text.matchAll(/^( *)describe\((.*?),[^\n]*\{\n([\s\S]*?)^\1\}\)/gm)]
  return blocks.flatMap(([, , title = '', body = '']) =>
    /^\s*(before|after)(All|Each)\(|^\s*(const|let) /m.test(body) ? [] : [title],
  )
}

it('the title of a test is a sentence of its own: describe is for cases, and for what only its tests share', () => {
  expect(listSplitTitles("describe('a group', () => {\n  it('is empty', () => {\n  })\n})")).toEqual([
    "'a group'",
  ])
  expect(listSplitTitles("describe('a group', () => {\n  beforeEach(make)\n  it('is', x)\n})")).toEqual([])
  expect(
    files.flatMap(file =>
      listSplitTitles(readFileSync(join(ownRoot, file), 'utf8')).map(title => `${file}: ${title}`),
    ),
  ).toEqual([])
})
