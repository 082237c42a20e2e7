import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import type { Import } from './import-rules.ts'

const APPS = ['server', 'console', 'agent', 'fleet', 'demo']
const AT_THE_ROOT = ['testing']

/** `@floorcast/contract/groups.ts` is `packages/contract/src/groups.ts`: each workspace exports its `src`. */
function workspaceFile(specifier: string): string | undefined {
  const [, name, rest = ''] = /^@floorcast\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? []
  if (name === undefined) return undefined
  const parent = AT_THE_ROOT.includes(name) ? '' : APPS.includes(name) ? 'apps/' : 'packages/'
  const folder = `${parent}${name}`
  return /^(src|catalogues)\//.test(rest) ? `${folder}/${rest}` : `${folder}/src/${rest}`
}

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  const inWorkspace = workspaceFile(specifier)
  if (inWorkspace !== undefined) return inWorkspace
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`
  const [scope = '', name = ''] = specifier.split('/')
  return `npm:${scope.startsWith('@') ? `${scope}/${name}` : scope}`
}

/** A specifier of a dynamic import that is not a plain string is not followed. */
const quoted = (text: string) => /^(['"`])([^'"`$]+)\1$/.exec(text)?.[2]

/** Every import of one file, by any form: static, type-only, re-export, `import()`. Raises when it does not parse. */
export function readImports(root: string, from: string): Import[] {
  const text = readFileSync(join(root, from), 'utf8')
  const { module, errors } = parseSync(from, text)
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]?.message}`)
  const found: Import[] = []
  const note = (specifier: string, start: number, { typeOnly = false, isDynamic = false }) =>
    found.push({
      from,
      to: resolve(from, specifier),
      specifier,
      line: text.slice(0, start).split('\n').length,
      typeOnly,
      isDynamic,
    })
  for (const { moduleRequest, entries, start } of module.staticImports)
    note(moduleRequest.value, start, {
      typeOnly: entries.length > 0 && entries.every(entry => entry.isType),
    })
  for (const { entries } of module.staticExports)
    for (const { moduleRequest, isType, start } of entries)
      if (moduleRequest) note(moduleRequest.value, start, { typeOnly: isType })
  for (const { moduleRequest, start } of module.dynamicImports) {
    const specifier = quoted(text.slice(moduleRequest.start, moduleRequest.end))
    if (specifier !== undefined) note(specifier, start, { isDynamic: true })
  }
  return found
}
