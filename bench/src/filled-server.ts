import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { authenticate } from '@floorcast/contract/auth.ts'
import { makeClient } from '@floorcast/contract/client.ts'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { Pool } from 'pg'
import { addHistory } from './history-fill.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** The admin of a folder that `npm run fill` filled. */
export const FILL_EMAIL = 'fill@floorcast.example'
export const FILL_PASSWORD = 'twenty million plays'

/** What a filled folder has. */
interface Filled {
  clientId: string
  groupUid: string
  deviceUid: string
  /** The first and the last day of plays, YYYY-MM-DD. */
  from: string
  to: string
  plays: number
}

/** A server on a filled folder, with an admin's token. */
export interface FilledServer extends Filled {
  url: string
  pid: number
  databaseUrl: string
  superuserUrl: string
  postgresPid: number
  token: string
  stop: () => Promise<void>
}

/** Fills a folder in a process of its own. */
export async function fillFolder(
  folder: string,
  { devices, days, plays }: { devices: number; days: number; plays: number },
): Promise<void> {
  const counts = ['--devices', devices, '--days', days, '--plays', plays].map(String)
  const program = resolve(import.meta.dirname, 'fill.ts')
  const fill = spawn(process.execPath, [program, '--data', folder, ...counts], {
    stdio: ['ignore', 2, 'ignore'],
  })
  const [code] = (await once(fill, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The filling of ${folder} ended with ${code}`)
}

async function readFilled(superuser: Pool): Promise<Filled> {
  const { rows } = await superuser.query<Filled>(
    `select u.client_id as "clientId", d.group_uid as "groupUid", d.uid as "deviceUid",
       min(h.day)::text as "from", max(h.day)::text as "to", sum(h.row_count)::float8 as plays
     from users u
       join lateral (select uid, group_uid from devices where client_id = u.client_id order by name limit 1) d on true
       join history_counts h on h.client_id = u.client_id and h.kind = 'plays' where u.email = $1 group by 1, 2, 3`,
    [FILL_EMAIL],
  )
  if (!rows[0]) throw new Error('The folder has no plays: fill it with npm run fill')
  return rows[0]
}

async function signIn(origin: string): Promise<string> {
  const body = { email: FILL_EMAIL, password: FILL_PASSWORD }
  const { token } = await makeClient({ base: origin, token: () => null })(authenticate, { body })
  return token
}

/** Starts PostgreSQL and a server on a filled folder. What `npm run fill` leaves out is written at the first time. */
export async function openFilled(folder: string): Promise<FilledServer> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder })
  let server: ServerProcess | null = null
  try {
    server = await startServer(folder, postgres.url)
    const superuserUrl = Object.assign(new URL(postgres.superuserUrl), { pathname: '/floorcast' }).href
    const superuser = new Pool({ connectionString: superuserUrl, max: 1 })
    superuser.on('error', () => undefined)
    const filled = await readFilled(superuser)
    await addHistory(superuser, filled)
    await superuser.end()
    const { url, pid, stop } = server
    const token = await signIn(url)
    return {
      ...filled,
      url,
      pid,
      token,
      databaseUrl: postgres.url,
      superuserUrl,
      postgresPid: postgres.pid,
      stop: () => stop().then(() => postgres.stop()),
    }
  } catch (error) {
    await server?.stop()
    await postgres.stop()
    throw error
  }
}
