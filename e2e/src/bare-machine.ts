import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/*
 * A Debian 12 with nothing of this machine's programs. Needs root, the network, and the Debian packages debootstrap and systemd-container.
 */

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Programs of this machine, without what the project has installed. */
const systemPath = (process.env['PATH'] ?? '')
  .split(':')
  .filter(part => !part.includes('node_modules'))
  .join(':')
const find = (program: string) =>
  realpathSync(execFileSync('which', [program], { env: { PATH: systemPath }, encoding: 'utf8' }).trim())

/** Whether this machine makes others: it has the programs, and this user is root. */
export function canMakeMachines(...more: readonly string[]): boolean {
  try {
    for (const program of ['debootstrap', 'systemd-nspawn', 'npm', ...more]) find(program)
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

/** A Debian and nothing else. */
export function makeDebian(root: string, packages: readonly string[] = []): void {
  run(
    'debootstrap',
    '--variant=minbase',
    `--include=${['ca-certificates', ...packages].join(',')}`,
    'bookworm',
    root,
  )
}

/** The paths of files in a machine, whose folders it makes. */
export const makeFolderOf = (root: string) => (path: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  return join(root, path)
}

/** Copies this machine's Node, npm and certificates into another. */
export function copyNode(root: string): void {
  const into = makeFolderOf(root)
  const npm = dirname(dirname(find('npm')))
  cpSync(npm, into('/usr/lib/node_modules/npm'), { recursive: true })
  copyFileSync(find('node'), into('/usr/bin/node'))
  run('ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', into('/usr/bin/npm'))
  run('ln', '-s', '../lib/node_modules/npm/bin/npx-cli.js', into('/usr/bin/npx'))
  for (const file of ['/etc/ssl/certs/ca-certificates.crt', '/etc/npmrc', '/usr/etc/npmrc'])
    if (existsSync(file)) copyFileSync(file, into(file))
}
