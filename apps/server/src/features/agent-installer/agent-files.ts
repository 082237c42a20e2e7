import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import en from '@floorcast/locales/catalogues/en/installer.json' with { type: 'json' }
import type { LocaleCode } from '@floorcast/contract/locales.ts'
import { readCatalogues } from '@floorcast/locales/read-catalogues.ts'

/** The folders of the agent's installer and bundle. */
export interface AgentFolders {
  installFolder: string
  bundleFolder: string
}

const agentFile = (path: string) => fileURLToPath(new URL(`../../../../agent/${path}`, import.meta.url))
export const AGENT_FOLDERS: AgentFolders = {
  installFolder: agentFile('install'),
  bundleFolder: agentFile('dist'),
}

/** The placeholders of the server's address in the installer, and of the texts of a language. */
const ADDRESS_PLACE = "'@FLOORCAST_SERVER@'"
const TEXTS_PLACE = '#@FLOORCAST_TEXTS@'
const FILE_NAME = /^[a-z0-9][a-z0-9.-]{0,80}$/

/** The installer with the address of this server and the texts of a language, English for an unknown one; null if there is none. */
export async function readInstaller(
  { installFolder }: AgentFolders,
  { serverUrl, language }: { serverUrl: string; language: string },
): Promise<string | null> {
  const script = await readOrNull(join(installFolder, 'install.sh'))
  if (!script) return null
  return script
    .toString()
    .replace(ADDRESS_PLACE, () => quoteForShell(serverUrl))
    .replace(TEXTS_PLACE, () => installerTexts(language))
}

/** A file of the bundle, or for `NAME.sha256` its hash in the format of `sha256sum --check`; null if there is none. */
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

/** English is in the script. */
const catalogues = new Map<string, typeof en>(
  Object.entries(readCatalogues('installer', en)).filter(([code]) => code !== 'en'),
)

/** Linux's own console has at most 512 glyphs in its font: no Chinese, and Arabic letters that do not join. */
const needsTerminal: ReadonlySet<string> = new Set<LocaleCode>(['ar', 'cn'])

/** Text that a shell takes as it is: inside single quotes it interprets nothing but the closing quote. */
const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The variable of a text in the script: `notInstalled` is `TEXT_NOT_INSTALLED`. */
export const textVariable = (key: string) => `TEXT_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`

/** The lines that set texts in the script. */
export const assignTexts = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts)
    .map(([key, text]) => `${textVariable(key)}=${quoteForShell(text)}`)
    .join('\n')

/** The lines that give the installer the texts of a language; none for English and for an unknown one. */
function installerTexts(language: string): string {
  const catalogue = catalogues.get(language)
  if (!catalogue) return ''
  const lines = assignTexts(catalogue)
  return needsTerminal.has(language) ? `if [ "\${TERM:-}" != linux ]; then\n${lines}\nfi` : lines
}
