import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTest } from './import-rules.ts'
import { listFiles, ownRoot } from './source-files.ts'

const FOLDER = /^apps\/server\/src\/features\/([^/]+)\//
const REGISTERS = /register(\w+)/g

/** `DeviceHost` as `device-host`. */
const kebab = (name: string) => name.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase()

interface Needs {
  tests: number
  whole: number
  features: Set<string>
}

/** Reads which features the tests of each folder start, from what they give `testServer`. */
function readNeeds(): Map<string, Needs> {
  const needs = new Map<string, Needs>()
  const tests = listFiles(ownRoot, ['apps/server/src/features/**/*.ts']).filter(isTest).toSorted()
  for (const file of tests) {
    const [, folder = ''] = FOLDER.exec(file) ?? []
    const text = readFileSync(join(ownRoot, file), 'utf8')
    const own = needs.get(folder) ?? { tests: 0, whole: 0, features: new Set() }
    needs.set(folder, own)
    if (/\bwholeServer\(/.test(text)) own.whole += 1
    else if (!/\b(testServer|mailedServer)\(/.test(text)) continue
    own.tests += 1
    for (const [, list = ''] of text.matchAll(/\bfeatures(?::| =) \[([^\]]*)\]/g))
      for (const [, name = ''] of list.matchAll(REGISTERS)) own.features.add(kebab(name))
  }
  return needs
}

/** The table of docs/testing.md. */
export function makeNeedsTable(): string {
  const rows = [...readNeeds()]
    .filter(([, { tests }]) => tests > 0)
    .map(([folder, { tests, whole, features }]) => {
      const started = [...features].toSorted().join(', ')
      return `| ${folder} | ${tests} | ${whole === 0 ? '' : whole} | ${started} |`
    })
  return [
    '| folder | tests with a server | of these with all features | features that the others start |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
