// Runs after `npm ci` in an unpacked archive of the server (pack-server.ts), on any Node: removes what is installed and never read there.
import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isUnread } from './unread-files.mjs'

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules')

/** Links of workspaces are no folders here, and stay. @type {(below: string) => void} */
function trim(below) {
  for (const entry of readdirSync(join(modules, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) trim(path)
    else if (isUnread(path)) rmSync(join(modules, path))
  }
  if (below !== '' && readdirSync(join(modules, below)).length === 0) rmdirSync(join(modules, below))
}

trim('')
