import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { atTheEnd } from './at-the-end.ts'
import { freePort } from './free-port.ts'

/** The address from which a reverse proxy of the tests connects to the server. */
export const PROXY_ADDRESS = '127.0.0.99'

export type ProxyProgram = 'nginx' | 'haproxy'

const MAX_CONNECTIONS = 20_000
const FOLDERS = 'client_body proxy fastcgi uwsgi scgi'.split(' ')

interface ProxyOptions {
  /** The largest body in bytes, in nginx's own words; its default is `1m`, and `0` sets no limit. */
  maxBody: string
}

type Ports = Record<'from' | 'to', number>

const configs: Record<ProxyProgram, (folder: string, ports: Ports, options: ProxyOptions) => string> = {
  // It collects bodies, as by default.
  nginx: (folder, { from, to }, { maxBody }) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; pid ${folder}/pid; error_log stderr crit; worker_rlimit_nofile ${3 * MAX_CONNECTIONS};
events { worker_connections ${2 * MAX_CONNECTIONS}; }
http {
  access_log off; client_max_body_size ${maxBody};
  ${FOLDERS.map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${from};
    location / {
      proxy_pass http://127.0.0.1:${to}; proxy_bind ${PROXY_ADDRESS}; proxy_http_version 1.1;
      proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}`,
  // It forwards bodies as they come.
  haproxy: (_, { from, to }) => `
global
  maxconn 9000
defaults
  mode http
  timeout connect 5s
  timeout client 120s
  timeout server 120s
frontend shop
  bind 127.0.0.1:${from}
  default_backend floorcast
backend floorcast
  option forwardfor
  server one 127.0.0.1:${to} source ${PROXY_ADDRESS}
`,
}

function install(program: ProxyProgram): void {
  if (spawnSync('which', [program], { stdio: 'ignore' }).status === 0) return
  const name = program === 'nginx' ? 'nginx-light' : program
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env })
  if (status !== 0) throw new Error(`${program} is missing: sudo apt-get install -y ${name}`)
}

async function untilItListens(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1, await pause(50)) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
  }
  throw new Error('The proxy does not listen')
}

/** Starts a reverse proxy in front of a port of loopback; it ends after the file's tests. @returns its port */
export async function startReverseProxy(
  program: ProxyProgram,
  to: number,
  options: ProxyOptions = { maxBody: '0' },
): Promise<number> {
  install(program)
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-proxy-'))
  const from = await freePort()
  const config = join(folder, 'config')
  writeFileSync(config, configs[program](folder, { from, to }, options))
  const child = spawn(program, program === 'nginx' ? ['-c', config] : ['-f', config], { stdio: 'inherit' })
  atTheEnd(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  await untilItListens(from)
  return from
}
