import { readFileSync } from 'node:fs'
import { release } from '@floorcast/contract/release.ts'

const ROOT = new URL('../../../', import.meta.url)
const COMMIT = /^[0-9a-f]{7,40}$/
/** A release of sources has no .git: `git archive` writes the commit into this file. */
const ARCHIVED = '.commit'

function read(path: string): string {
  try {
    return readFileSync(new URL(path, ROOT), 'utf8').trim()
  } catch {
    return ''
  }
}

/** The commit that is checked out, of a clone or one of its work trees. */
function readHead(): string {
  const link = /^gitdir: (.+)$/.exec(read('.git'))?.[1]
  const folder = link === undefined ? '.git/' : `file://${link}/`
  const head = read(`${folder}HEAD`)
  const branch = /^ref: (.+)$/.exec(head)?.[1]
  if (branch === undefined) return head
  const shared = read(`${folder}commondir`)
  const common = shared === '' ? folder : `${folder}${shared}/`
  const packed = read(`${common}packed-refs`).split('\n')
  return read(`${common}${branch}`) || (packed.find(line => line.endsWith(` ${branch}`))?.split(' ')[0] ?? '')
}

function readCommit(): string | null {
  const commit = [read(ARCHIVED), readHead()].find(text => COMMIT.test(text))
  return commit?.slice(0, 8) ?? null
}

/** What runs here: the release, and the commit (8 hex digits; null where nothing says it). */
export const version = { release: release.version, commit: readCommit() }
