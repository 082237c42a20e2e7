import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the agent's installer and its bundle are made. */
export interface AgentFolders {
  installFolder: string
  bundleFolder: string
}

const agentFile = (path: string) => fileURLToPath(new URL(`../../../../agent/${path}`, import.meta.url))
export const AGENT_FOLDERS: AgentFolders = {
  installFolder: agentFile('install'),
  bundleFolder: agentFile('dist'),
}

/** What the installer has in place of the server's address, inside single quotes. */
const ADDRESS_PLACE = '@FLOORCAST_SERVER@'
const FILE_NAME = /^[a-z0-9][a-z0-9.-]{0,80}$/

/** The installer, knowing the server that it came from; null when there is none. */
export async function readInstaller(
  { installFolder }: AgentFolders,
  serverUrl: string,
): Promise<string | null> {
  const script = await readOrNull(join(installFolder, 'install.sh'))
  // Inside single quotes a shell reads everything as it is but the quote itself.
  return script && script.toString().replaceAll(ADDRESS_PLACE, serverUrl.replaceAll("'", String.raw`'\''`))
}

/** A file of the bundle, or for `NAME.sha256` that file's hash as `sha256sum --check` reads it; null when there is none. */
export async function readBundleFile({ bundleFolder }: AgentFolders, name: string): Promise<Buffer | null> {
  if (!FILE_NAME.test(name) || name.includes('..')) return null
  if (!name.endsWith('.sha256')) return readOrNull(join(bundleFolder, name))
  const hashed = name.slice(0, -'.sha256'.length)
  const bytes = await readBundleFile({ bundleFolder, installFolder: '' }, hashed)
  return bytes && Buffer.from(`${createHash('sha256').update(bytes).digest('hex')}  ${hashed}\n`)
}

async function readOrNull(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'EISDIR', 'ENOTDIR'].includes(String(error.code))
    )
      return null
    throw error
  }
}
