import { release } from '@floorcast/contract/release.ts'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const manifests = globSync(['package.json', '{apps,packages}/*/package.json', '*/package.json'], {
  cwd: root,
})

it('the newest release of CHANGELOG.md is this one', () => {
  const newest = /^## \[(?<version>\d[^\]]*)\] - (?<date>\S+)$/m.exec(read('CHANGELOG.md'))
  expect(newest?.groups).toEqual(release)
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
