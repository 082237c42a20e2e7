import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { rules } from './import-rules.ts'
import { cleanFixtures, importFixtures, lintFixtures } from './lint-rule-fixtures.ts'

const root = resolve(import.meta.dirname, '..')
const made: string[] = []
afterAll(() => made.forEach(folder => rmSync(folder, { recursive: true })))

/** Writes a project of these files alone, with the real configuration. */
function makeProject(files: readonly { file: string; text: string }[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-lint-'))
  made.push(folder)
  for (const name of ['.oxlintrc.json', '.gitignore', 'tsconfig.base.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, text } of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

function checkImports(folder: string) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/check-imports.ts'), folder], {
    encoding: 'utf8',
  })
  return { status, lines: stderr.split('\n') }
}

function lint(folder: string) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '--format=unix'],
    { cwd: folder, encoding: 'utf8' },
  )
  return { status, lines: stdout.split('\n') }
}

const checked = checkImports(makeProject([...importFixtures, ...cleanFixtures]))

it.each(importFixtures)('who may import whom names $file: $names', ({ file, names }) => {
  expect(checked.status).toBe(1)
  expect(checked.lines.filter(line => line.startsWith(`${file}:`) && line.includes(names))).not.toEqual([])
})

it('who may import whom has a fixture for each rule', () => {
  const covered = rules.filter(rule => importFixtures.some(({ names }) => rule.says.includes(names)))
  expect(covered.map(rule => rule.says)).toEqual(rules.map(rule => rule.says))
})

it('who may import whom says nothing of what is allowed', () => {
  expect(checkImports(makeProject(cleanFixtures))).toEqual({ status: 0, lines: [''] })
})

const linted = lint(makeProject([...lintFixtures, ...cleanFixtures]))

it.each(lintFixtures)('lint names $names in $file', ({ file, names }) => {
  expect(linted.status).toBe(1)
  expect(linted.lines.filter(line => line.includes(`${file}:`) && line.includes(names))).not.toEqual([])
})

it('lint says nothing of clean files', () => {
  const { status, lines } = lint(makeProject(cleanFixtures))
  expect(lines.filter(line => line.includes('.ts:'))).toEqual([])
  expect(status).toBe(0)
})
