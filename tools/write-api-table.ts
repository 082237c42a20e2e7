import { readFileSync, writeFileSync } from 'node:fs'
import { formatPage, makeApiTable } from './api-table.ts'
import { makeClientFiles } from './client-api.ts'
import { COMMENTS_FILE, makeCommentsFile } from './contract-comments.ts'
import { makeNeedsTable } from './feature-needs.ts'

const BEGIN = '<!-- written by npm run docs:api -->'
const END = '<!-- end -->'

writeFileSync(new URL('../docs/api.md', import.meta.url), await makeApiTable())
writeFileSync(new URL(`../${COMMENTS_FILE}`, import.meta.url), makeCommentsFile())
for (const [file, text] of Object.entries(await makeClientFiles()))
  writeFileSync(new URL(`../${file}`, import.meta.url), text)

const page = new URL('../docs/testing.md', import.meta.url)
const text = readFileSync(page, 'utf8')
const [head = '', tail = ''] = [text.split(BEGIN)[0], text.split(END)[1]]
const written = `${head}${BEGIN}\n\n${makeNeedsTable()}\n\n${END}${tail}`
writeFileSync(page, await formatPage(written))
