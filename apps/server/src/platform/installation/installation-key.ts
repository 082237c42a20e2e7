import { existsSync } from 'node:fs'
import { openSecretBox } from '../auth/secret-box.ts'
import type { KeyQueries } from '../database/jobs-queries.ts'

const REMEDY =
  "Put the installation's secret.key there, from another of its servers or from where it was kept apart, or name its file by SECRET_KEY_FILE. If it is lost: npm run admin -- accept-key"

/** All servers of an installation have one key: the first one makes it, and the database notes its fingerprint. @throws Error with what to do */
export async function requireInstallationKey(jobs: KeyQueries, path: string): Promise<void> {
  const noted = await jobs.noteKey(null)
  if (noted !== null && !existsSync(path))
    throw new Error(`${path} is not there, and the database has rows that only it opens. ${REMEDY}`)
  const { fingerprint } = await openSecretBox(path)
  const own = noted ?? (await jobs.noteKey(fingerprint))
  if (own === null || !fingerprint.equals(own))
    throw new Error(`${path} is not the key of this database. ${REMEDY}`)
}
