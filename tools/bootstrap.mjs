// Runs before every script of package.json, on whatever Node the machine has: plain JavaScript, nothing installed yet.
// Makes the installation whole, then runs the further steps named as arguments on the project's own Node.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInstalled, projectNode, unfinishedInstalls } from './install-state.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** @type {(message: string) => never} */
function giveUp(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

/** @type {(command: string, args: string[]) => boolean} */
const succeeds = (command, args) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0

/** @type {(...args: string[]) => boolean} */
function npm(...args) {
  const cli = process.env['npm_execpath']
  return cli?.endsWith('.js') ? succeeds(process.execPath, [cli, ...args]) : succeeds('npm', args)
}

function install() {
  console.error('Installing what package-lock.json names (once; again only when it changes) …')
  // The two includes outlive NODE_ENV=production: the console is built here, by what counts as a development dependency.
  if (!npm('ci', '--include=dev', '--include=optional', '--ignore-scripts=false', '--loglevel=error'))
    giveUp('npm ci failed; its own lines above say why. Mend that and run the same command again.')
}

function finishInstalls() {
  const unfinished = unfinishedInstalls(root)
  if (unfinished.length === 0) return
  console.error(`Running the install scripts of ${unfinished.join(' and ')} again …`)
  npm('rebuild', ...unfinished, '--ignore-scripts=false', '--loglevel=error')
  const still = unfinishedInstalls(root)
  if (still.length > 0)
    giveUp(
      `The install script of ${still.join(' and ')} does not do its work here. Delete node_modules and run this again.`,
    )
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19))
  giveUp(`This is Node ${process.versions.node}; Floorcast needs 20.19 or newer to install its own Node.`)
if (process.platform === 'win32') giveUp('Floorcast runs on Linux and macOS; on Windows, use WSL.')

if (!isInstalled(root)) install()
finishInstalls()
for (const step of process.argv.slice(2)) if (!succeeds(projectNode(root), [step])) process.exit(1)
