import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

it.each([...globSync(['docs/**/*.md', '*.md'], { cwd: root })])('%s links to what is there', file => {
  const links = [...read(file).matchAll(/\]\((?!\w+:|#)([^)#\s]+)[^)]*\)/g)].map(match => match[1] ?? '')
  expect(links.filter(link => !existsSync(join(root, dirname(file), link)))).toEqual([])
})

it('docs/dependencies.md has each dependency of a package.json, and no other', () => {
  const manifests = globSync(['package.json', '{apps,packages}/*/package.json', '{bench,e2e}/package.json'], {
    cwd: root,
  })
  const declared = manifests.flatMap(file => {
    const manifest = JSON.parse(read(file)) as Record<string, Record<string, string> | undefined>
    return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(kind =>
      Object.keys(manifest[kind] ?? {}),
    )
  })
  const told = read('docs/dependencies.md')
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(match => match[1] ?? ''))
  const own = (name: string) => name.startsWith('@floorcast/')
  expect(told.toSorted()).toEqual([...new Set(declared.filter(name => !own(name)))].toSorted())
})
