import { release } from '@floorcast/contract/release.ts'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const manifests = globSync(['package.json', '{apps,packages}/*/package.json', '*/package.json'], {
  cwd: root,
})

it('the newest dated release of CHANGELOG.md is this one', () => {
  const newest = /^## \[(?<version>\d[^\]]*)\] - (?<date>\d{4}-\d\d-\d\d)$/m.exec(read('CHANGELOG.md'))
  expect(newest?.groups).toEqual(release)
})

it('CHANGELOG.md has lines of at most 160 characters, and each release says first what an upgrade asks for', () => {
  const changelog = read('CHANGELOG.md')
  expect(changelog.split('\n').filter(line => line.length > 160)).toEqual([])
  const releases = changelog.split(/^## /m).slice(1)
  expect(releases.length).toBeGreaterThan(1)
  for (const text of releases) {
    const [head, upgrade = '', ...groups] = text.split(/^### /m)
    expect(head?.trim()).toMatch(/^\[\d+\.\d+\.\d+\] - (\d{4}-\d\d-\d\d|unreleased)$/)
    const [title, ...asks] = upgrade.trim().split(/\n+/)
    expect(title).toBe('Before you upgrade')
    expect(asks.length).toBeGreaterThan(0)
    expect(asks.length).toBeLessThanOrEqual(10)
    const readers = groups.map(group => group.split('\n')[0] ?? '')
    expect(['Users', 'Operators', 'Programs'].filter(name => readers.includes(name))).toEqual(readers)
  }
})

it('each workspace has the version of the release, and wants it of the others', () => {
  const versions = manifests.flatMap(file => {
    const { version, dependencies, devDependencies } = JSON.parse(read(file)) as {
      version: string
      dependencies?: Record<string, string>
      devDependencies?: Record<string, string>
    }
    const wanted = Object.entries({ ...dependencies, ...devDependencies })
    return [version, ...wanted.filter(([name]) => name.startsWith('@floorcast/')).map(([, range]) => range)]
  })
  expect(new Set(versions)).toEqual(new Set([release.version]))
})
