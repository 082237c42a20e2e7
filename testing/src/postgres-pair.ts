import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, openSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { vi } from 'vitest'
import { atTheEnd } from './at-the-end.ts'
import { asPostgres, debianPostgres, makeOpenFolder } from './debian-postgres.ts'
import { requireProgram } from './debian-program.ts'
import { freePort } from './free-port.ts'
import { change, readExample } from './ops-example.ts'
import { runProxy } from './proxy-process.ts'

/*
 * Two PostgreSQL that Patroni keeps as primary and standby, and HAProxy that follows the primary, by the files of ops/: one machine, other
 * ports, one etcd instead of three. Each node is as a machine of its own: it is killed with all that runs on it, and started again.
 */

type NodeName = 'db1' | 'db2'
const NAMES: readonly NodeName[] = ['db1', 'db2']

interface Member {
  name: NodeName
  role: string
  state: string
}

export interface PostgresPair {
  /** The address of the primary, by HAProxy: the value of DATABASE_URL. */
  url: string
  /** The address of the standby, by HAProxy: the value of DATABASE_READ_URL. */
  standbyUrl: string
  /** The superuser's address of the primary. */
  superuserUrl: string
  /** Waits until a primary has a standby that holds each commit. @returns the name of the primary */
  untilInSync: () => Promise<NodeName>
  /** Waits until another node than this one is the primary. */
  untilTakenOver: (from: NodeName) => Promise<NodeName>
  /** Ends all of a node at once, as if its machine lost power. */
  kill: (name: NodeName) => Promise<void>
  start: (name: NodeName) => void
  /** The address of Patroni on a node. */
  apiOf: (name: NodeName) => string
  /** Makes the other node the primary, as an operator does before work on this machine. */
  switchOver: (from: NodeName) => Promise<void>
}

/** A failover takes Patroni half a minute, and a node that comes back is copied anew at worst. */
const WAIT = { timeout: 180_000, interval: 50 }
const PASSWORD = 'password-of-floorcast'

class Node {
  readonly name: NodeName
  readonly port: number
  readonly api: string
  readonly folder: string
  readonly config: string
  #patroni: ChildProcess | null = null

  private constructor(
    name: NodeName,
    ports: { postgres: number; api: number; etcd: number },
    folder: string,
  ) {
    this.name = name
    this.port = ports.postgres
    this.api = `127.0.0.1:${ports.api}`
    this.folder = folder
    this.config = join(folder, 'config.yml')
    const config = change(readExample('patroni/patroni.yaml'), [
      ['name: db1', `name: ${name}`],
      ['192.0.2.11:2379,192.0.2.12:2379,192.0.2.13:2379', `127.0.0.1:${ports.etcd}`],
      ['192.0.2.11:8008', this.api],
      ['192.0.2.11:5432', `127.0.0.1:${ports.postgres}`],
      ['192.0.2.0/24', '127.0.0.1/32'],
      ['/var/lib/postgresql/15/floorcast', this.#data],
      ['/var/lib/postgresql/floorcast.pgpass', join(folder, 'pgpass')],
      ['/usr/lib/postgresql/15/bin', debianPostgres ?? ''],
      ['/var/run/postgresql', folder],
    ])
    writeFileSync(this.config, config)
    chmodSync(this.config, 0o644)
  }

  static async make(name: NodeName, etcd: number, parent: string): Promise<Node> {
    const folder = join(parent, name)
    makeOpenFolder(folder)
    return new Node(name, { postgres: await freePort(), api: await freePort(), etcd }, folder)
  }

  get #data(): string {
    return join(this.folder, 'data')
  }

  start(): void {
    this.#patroni = startAsPostgres(this.folder, { command: ['patroni', this.config] })
  }

  /** Processes of PostgreSQL work in its data folder. */
  #postgres(): number[] {
    return readdirSync('/proc').flatMap(entry => {
      if (!/^\d+$/.test(entry)) return []
      try {
        return readlinkSync(`/proc/${entry}/cwd`) === this.#data ? [Number(entry)] : []
      } catch {
        // It has ended.
        return []
      }
    })
  }

  async kill(): Promise<void> {
    const patroni = this.#patroni
    this.#patroni = null
    if (!patroni) return
    patroni.kill('SIGKILL')
    for (const pid of this.#postgres()) killIfThere(pid)
    if (patroni.exitCode === null && patroni.signalCode === null) await once(patroni, 'exit')
    await vi.waitFor(() => {
      if (this.#postgres().length > 0) throw new Error(`PostgreSQL of ${this.name} still runs`)
    }, WAIT)
  }
}

/** The children of a killed PostgreSQL end by themselves. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

interface Program {
  command: [string, ...string[]]
  environment?: NodeJS.ProcessEnv
}

/** Starts a program of the user postgres, whose words go to a file of the folder. */
function startAsPostgres(folder: string, { command, environment = {} }: Program): ChildProcess {
  const [program, args] = asPostgres(...command)
  const log = openSync(join(folder, 'log'), 'a')
  const env = { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8', ...environment }
  return spawn(program, args, { cwd: folder, env, stdio: ['ignore', log, log] })
}

async function runAsPostgres(folder: string, program: Program): Promise<void> {
  const child = startAsPostgres(folder, program)
  await once(child, 'exit')
  if (child.exitCode !== 0)
    throw new Error(`${program.command[0]} failed: ${readFileSync(join(folder, 'log'), 'utf8')}`)
}

async function startEtcd(parent: string): Promise<number> {
  const folder = join(parent, 'etcd')
  makeOpenFolder(folder)
  const [clients, peers] = [await freePort(), await freePort()]
  const [own, peer] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`]
  const config = change(readExample('patroni/etcd.env'), [
    ['db1=http://192.0.2.11:2380,db2=http://192.0.2.12:2380,db3=http://192.0.2.13:2380', `db1=${peer}`],
    ['http://192.0.2.11:2379', own],
    ['http://192.0.2.11:2380', peer],
    ['/var/lib/etcd/floorcast', join(folder, 'data')],
  ])
  const etcd = startAsPostgres(folder, { command: ['etcd'], environment: parseEnv(config) })
  atTheEnd(async () => {
    etcd.kill('SIGKILL')
    if (etcd.exitCode === null && etcd.signalCode === null) await once(etcd, 'exit')
  })
  return clients
}

/** @returns the ports of the primary and of the standby */
async function startHaproxy(nodes: readonly Node[], parent: string): Promise<[number, number]> {
  requireProgram('haproxy')
  const folder = join(parent, 'haproxy')
  makeOpenFolder(folder)
  const [primary, standby] = [await freePort(), await freePort()]
  const config = change(readExample('haproxy/postgresql.cfg'), [
    ['bind 127.0.0.1:5000', `bind 127.0.0.1:${primary}`],
    ['bind 127.0.0.1:5001', `bind 127.0.0.1:${standby}`],
    ...nodes.map(({ name, port, api }, index): [string, string] => [
      `server ${name} 192.0.2.${11 + index}:5432`,
      `server ${name} 127.0.0.1:${port} check port ${api.split(':')[1]}`,
    ]),
  ])
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, config)
  await runProxy({ program: 'haproxy', args: ['-q', '-f', file], folder, port: primary })
  return [primary, standby]
}

/** An administrator makes the database, by the socket of the primary. */
async function createFloorcast({ port, folder }: Node): Promise<void> {
  await runAsPostgres(folder, {
    command: ['sh', '-c', readExample('postgres/create-database.sh')],
    environment: { PGHOST: folder, PGPORT: String(port), DATABASE_PASSWORD: PASSWORD },
  })
}

/** Starts a pair with the database of Floorcast, until the end of the file's tests. @param folder is there, and others may pass through it */
export async function startPostgresPair(folder: string): Promise<PostgresPair> {
  requireProgram('patroni', 'patroni', 'python3-etcd')
  requireProgram('etcd', 'etcd-server')
  const etcd = await startEtcd(folder)
  const nodes = [await Node.make('db1', etcd, folder), await Node.make('db2', etcd, folder)] as const
  const nodeOf = (name: NodeName) => nodes[name === 'db1' ? 0 : 1]
  atTheEnd(() => Promise.all(nodes.map(node => node.kill())))
  const [primaryPort, standbyPort] = await startHaproxy(nodes, folder)
  for (const node of nodes) node.start()

  /** The members as etcd has them, by the first node that answers. */
  const members = async (): Promise<Member[]> => {
    const answer = await Promise.any(nodes.map(({ api }) => fetch(`http://${api}/cluster`)))
    return ((await answer.json()) as { members: Member[] }).members
  }
  /** Waits for both roles, or for the first alone. */
  const untilRoles = (roles: readonly string[], but?: NodeName) =>
    vi.waitFor(async () => {
      const running = (await members()).filter(({ state, name }) => state === 'running' && name !== but)
      const found = roles.map(role => running.find(member => member.role === role)?.name)
      const [first] = found
      if (first === undefined || found.includes(undefined))
        throw new Error(`there is no ${roles.join(' and ')}`)
      return first
    }, WAIT)
  const untilInSync = () => untilRoles(['leader', 'sync_standby'])
  await createFloorcast(nodeOf(await untilInSync()))
  const urlOf = (user: string, port: number) => `postgres://${user}@127.0.0.1:${port}/floorcast`
  return {
    url: urlOf(`floorcast:${PASSWORD}`, primaryPort),
    standbyUrl: urlOf(`floorcast:${PASSWORD}`, standbyPort),
    superuserUrl: urlOf('postgres:the-password-of-postgres', primaryPort),
    untilInSync,
    untilTakenOver: from => untilRoles(['leader'], from),
    kill: name => nodeOf(name).kill(),
    start: name => nodeOf(name).start(),
    apiOf: name => `http://${nodeOf(name).api}`,
    switchOver: async from => {
      const candidate = NAMES.find(name => name !== from) ?? ''
      const { folder: own, config } = nodeOf(from)
      const more = ['switchover', '--leader', from, '--candidate', candidate, '--force']
      await runAsPostgres(own, { command: ['patronictl', '--config-file', config, ...more] })
    },
  }
}
