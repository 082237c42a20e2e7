import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, parseSync } from 'oxc-parser'
import { listFiles, ownRoot } from './source-files.ts'

/*
 * What the contract's comments say of its schemas and their fields, for the OpenAPI document: `Device`, `Device.volume`, `listDevices.query.page`.
 * The comments stay where they are read; `npm run docs:api` writes them into a file, because a running program has no comments.
 */

export const COMMENTS_FILE = 'apps/server/src/platform/http/routes/descriptions.json'

type Comments = Record<string, string>

/** The parts of a call whose schemas are written in place. */
const PARTS = new Set(['params', 'query', 'body', 'form', 'answer'])

interface Source {
  text: string
  /** The text of the comment that ends at a place. */
  commentBefore: (start: number) => string | null
  found: Comments
}

const plain = (comment: string) =>
  comment
    .split('\n')
    .map(line => line.replace(/^\s*\*+\s?/, '').trim())
    .filter(line => !line.startsWith('@'))
    .join(' ')
    .trim()

function readSource(text: string, file: string, found: Comments): { source: Source; body: readonly Node[] } {
  const { program, comments } = parseSync(file, text)
  const ends = new Map(
    comments
      .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
      .map(each => [each.end, each.value]),
  )
  const commentBefore = (start: number) => {
    const end = text.slice(0, start).trimEnd().length
    const comment = ends.get(end)
    return comment === undefined ? null : plain(comment)
  }
  return { source: { text, commentBefore, found }, body: program.body }
}

/** Notes the comments of the fields of the objects in an expression: those of calls, such as `z.object({…})` and `.extend({…})`. */
function noteFields(source: Source, node: Node | null | undefined, path: string): void {
  if (!node) return
  if (node.type === 'CallExpression') {
    noteFields(source, node.callee, path)
    for (const argument of node.arguments) noteFields(source, argument, path)
  } else if (node.type === 'MemberExpression') noteFields(source, node.object, path)
  else if (node.type === 'ArrayExpression') for (const each of node.elements) noteFields(source, each, path)
  else if (node.type === 'ObjectExpression')
    for (const property of node.properties) {
      if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
      const name = `${path}.${property.key.name}`
      const comment = source.commentBefore(property.start)
      if (comment) source.found[name] = comment
      noteFields(source, property.value, name)
    }
}

/** Notes the comments of a call's own schemas. */
function noteCall(source: Source, draft: Node, name: string): void {
  if (draft.type !== 'ObjectExpression') return
  for (const property of draft.properties)
    if (property.type === 'Property' && property.key.type === 'Identifier' && PARTS.has(property.key.name))
      noteFields(source, property.value, `${name}.${property.key.name}`)
}

function noteDeclaration(source: Source, statement: Node): void {
  if (statement.type !== 'ExportNamedDeclaration') return
  const { declaration } = statement
  if (declaration?.type !== 'VariableDeclaration') return
  for (const { id, init } of declaration.declarations) {
    if (id.type !== 'Identifier' || !init) continue
    const isSchema = /^[A-Z][a-z]/.test(id.name)
    const comment = isSchema ? source.commentBefore(statement.start) : null
    if (comment) source.found[id.name] = comment
    if (isSchema) noteFields(source, init, id.name)
    else if (init.type === 'CallExpression' && init.arguments[0]) noteCall(source, init.arguments[0], id.name)
  }
}

/** The comments of all schemas, by path. */
export function readContractComments(): Comments {
  const found: Comments = {}
  for (const file of listFiles(ownRoot, ['packages/contract/src/*.ts'])) {
    if (file.includes('.test.')) continue
    const { source, body } = readSource(readFileSync(join(ownRoot, file), 'utf8'), file, found)
    for (const statement of body) noteDeclaration(source, statement)
  }
  return Object.fromEntries(Object.entries(found).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The file's content. */
export const makeCommentsFile = () => `${JSON.stringify(readContractComments(), null, 2)}\n`
