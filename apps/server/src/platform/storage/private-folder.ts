import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/* Only the server's own user reads what it stores: other programs of the machine do not see a client's files or logs. */

export const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600
/** Other users may pass through the folder, and not list it. */
const PASSAGE_MODE = 0o711
const MODE_BITS = 0o777

/** The entries that the server itself makes in DATA_DIR. PostgreSQL closes its own folder; anything else is not ours. */
const OWN_ENTRY = /^(media|demo|server\.log.*|backup-targets\.json|postgres\.(log.*|password|keeper))$/

async function restrict(path: string): Promise<void> {
  const facts = await lstat(path)
  if (facts.isFile()) {
    if ((facts.mode & MODE_BITS) !== FILE_MODE) await chmod(path, FILE_MODE)
  } else if (facts.isDirectory() && (facts.mode & MODE_BITS) !== FOLDER_MODE) {
    for (const name of await readdir(path)) await restrict(join(path, name)).catch(ignoreMissing)
    // The folder last: if this is interrupted, the next start goes through it again.
    await chmod(path, FOLDER_MODE)
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** PostgreSQL runs as another user where the server is root, and must reach its folder. */
async function isPassage(dataDir: string): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  const names = await readdir(dataDir)
  if (names.some(name => name.startsWith('binaries-'))) return true
  return names.includes('postgres') && (await lstat(join(dataDir, 'postgres'))).uid !== 0
}

/**
 * Closes the files and folders of earlier releases in DATA_DIR to other users of the machine. Goes through a folder only if it
 * is open, so that a start with a large library costs nothing. @throws errors of the file system
 */
export async function restrictDataFolder(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (OWN_ENTRY.test(name)) await restrict(join(dataDir, name)).catch(ignoreMissing)
  await chmod(dataDir, (await isPassage(dataDir)) ? PASSAGE_MODE : FOLDER_MODE)
}
