import { release } from '@floorcast/contract/release.ts'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutRelease } from './cut-release.ts'

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

describe('npm run release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-release-'))
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const inFolder = (file: string) => readFileSync(join(folder, file), 'utf8')
  const build = () => {
    mkdirSync(join(folder, 'apps/agent/dist'), { recursive: true })
    writeFileSync(
      join(folder, 'apps/agent/dist/floorcast-agent.mjs'),
      inFolder('packages/contract/src/release.ts'),
    )
    const { version } = JSON.parse(inFolder('packages/client/package.json')) as { version: string }
    mkdirSync(join(folder, 'packages/client/dist'), { recursive: true })
    writeFileSync(join(folder, `packages/client/dist/floorcast-client-${version}.tgz`), version)
    const properties = [{ name: 'floorcast:commit', value: 'the commit before' }]
    const sbom = { metadata: { component: { name: 'a-folder', properties } } }
    writeFileSync(join(folder, 'floorcast-sbom.cdx.json'), JSON.stringify(sbom))
  }
  const pack = (from: string, archive: string) =>
    writeFileSync(archive, execFileSync('git', ['rev-parse', 'HEAD'], { cwd: from }))
  const cut = (version: string, how = build) =>
    cutRelease({ root: folder, version, date: '2099-01-31', build: how, pack })

  beforeAll(() => {
    for (const file of [
      ...manifests,
      'package-lock.json',
      'packages/contract/src/release.ts',
      '.commit',
      '.gitattributes',
      '.gitignore',
    ]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      copyFileSync(join(root, file), join(folder, file))
    }
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## [99.1.0] - unreleased\n')
    git('init', '--quiet')
    git('config', 'user.name', 'Test')
    git('config', 'user.email', 'test@floorcast.example')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'all')
  })

  it.each([
    ['99.2.0', "CHANGELOG.md has no line '## [99.2.0] - unreleased'."],
    [release.version, `${release.version} is not above ${release.version}, the version of this checkout.`],
    ['2.99', '2.99 is no version such as 2.776.0.'],
  ])('rejects %s with a reason', (version, reason) => {
    expect(() => cut(version)).toThrow(reason)
    expect(git('status', '--porcelain')).toBe('')
  })

  it('leaves the checkout as it was when the build fails, and rejects one with changes', () => {
    const fail = () => {
      throw new Error('no room')
    }
    expect(() => cut('99.1.0', fail)).toThrow('no room')
    expect(git('status', '--porcelain')).toBe('')
    expect(git('tag')).toBe('')
    writeFileSync(join(folder, 'note.txt'), 'mine')
    expect(() => cut('99.1.0')).toThrow('There are changes that are not committed.')
    rmSync(join(folder, 'note.txt'))
  })

  it('sets the version everywhere, tags it, and makes its files with their sums', () => {
    const made = cut('99.1.0')
    expect(git('status', '--porcelain')).toBe('')
    expect(git('log', '-1', '--format=%s %D')).toMatch(/^release: 99\.1\.0 .*tag: v99\.1\.0/)
    expect(inFolder('CHANGELOG.md')).toContain('## [99.1.0] - 2099-01-31\n')
    expect(inFolder('packages/contract/src/release.ts')).toContain(
      `{ version: '99.1.0', date: '2099-01-31' }`,
    )
    for (const file of [...manifests, 'package-lock.json'])
      expect(inFolder(file)).not.toContain(`"${release.version}"`)
    expect(readdirSync(made).toSorted()).toEqual([
      'SHA256SUMS',
      'floorcast-99.1.0.tar.gz',
      'floorcast-agent.mjs',
      'floorcast-client-99.1.0.tgz',
      'floorcast-sbom.cdx.json',
      'floorcast-server-99.1.0.tar.gz',
    ])
    // Its sources are those of the tag.
    expect(readFileSync(join(made, 'floorcast-server-99.1.0.tar.gz'), 'utf8').trim()).toBe(
      git('rev-parse', 'v99.1.0^{commit}'),
    )
    const sbom = JSON.parse(readFileSync(join(made, 'floorcast-sbom.cdx.json'), 'utf8')) as object
    expect(sbom).toEqual({
      metadata: {
        component: {
          name: 'floorcast',
          properties: [{ name: 'floorcast:commit', value: git('rev-parse', 'v99.1.0^{commit}') }],
        },
      },
    })
    const agent = createHash('sha256')
      .update(readFileSync(join(made, 'floorcast-agent.mjs')))
      .digest('hex')
    expect(readFileSync(join(made, 'SHA256SUMS'), 'utf8').split('\n')).toEqual([
      expect.stringMatching(/^[0-9a-f]{64} {2}floorcast-99\.1\.0\.tar\.gz$/),
      `${agent}  floorcast-agent.mjs`,
      expect.stringMatching(/^[0-9a-f]{64} {2}floorcast-client-99\.1\.0\.tgz$/),
      expect.stringMatching(/^[0-9a-f]{64} {2}floorcast-sbom\.cdx\.json$/),
      expect.stringMatching(/^[0-9a-f]{64} {2}floorcast-server-99\.1\.0\.tar\.gz$/),
      '',
    ])
    const archived = (file: string) => {
      const args = [
        '--extract',
        '--to-stdout',
        '--file',
        'floorcast-99.1.0.tar.gz',
        `floorcast-99.1.0/${file}`,
      ]
      return execFileSync('tar', args, { cwd: made, encoding: 'utf8' })
    }
    expect(JSON.parse(archived('package.json'))).toMatchObject({ version: '99.1.0' })
    // What runs from the sources of a release, without git, says its commit too.
    expect(archived('.commit').trim()).toBe(git('rev-parse', 'HEAD'))
    expect(() => cut('99.1.0')).toThrow('99.1.0 is not above 99.1.0')
  })
})
