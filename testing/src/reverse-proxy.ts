import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireProgram } from './debian-program.ts'
import { change, readExample } from './ops-example.ts'
import { freePort } from './free-port.ts'
import { type RunningProxy, runProxy } from './proxy-process.ts'

/** The address from which a reverse proxy of the tests connects to the server. */
export const PROXY_ADDRESS = '127.0.0.99'

export type ProxyProgram = 'nginx' | 'haproxy'

const MAX_CONNECTIONS = 20_000
const FOLDERS = 'client_body proxy fastcgi uwsgi scgi'.split(' ')

interface ProxyOptions {
  /** The largest body in bytes, in nginx's own words; its default is `1m`, and `0` sets no limit. */
  maxBody: string
}

interface Ports {
  from: number
  to: readonly number[]
}

const configs: Record<ProxyProgram, (folder: string, ports: Ports, options: ProxyOptions) => string> = {
  // It collects bodies, as by default.
  nginx: (folder, { from, to }, { maxBody }) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; pid ${folder}/pid; error_log stderr crit; worker_rlimit_nofile ${3 * MAX_CONNECTIONS};
events { worker_connections ${2 * MAX_CONNECTIONS}; }
http {
  access_log off; client_max_body_size ${maxBody};
  ${FOLDERS.map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}
  upstream floorcast { ${to.map(port => `server 127.0.0.1:${port};`).join(' ')} }
  server {
    listen 127.0.0.1:${from};
    location / {
      proxy_pass http://floorcast; proxy_bind ${PROXY_ADDRESS}; proxy_http_version 1.1;
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
${to.map((port, index) => `  server s${index} 127.0.0.1:${port} source ${PROXY_ADDRESS}`).join('\n')}
`,
}

const installProxy = (program: string) =>
  requireProgram(program, program === 'nginx' ? 'nginx-light' : program)

/** Starts a reverse proxy in front of ports of loopback, taken in turns; it ends after the file's tests. @returns its port */
export async function startReverseProxy(
  program: ProxyProgram,
  to: number | readonly number[],
  options: ProxyOptions = { maxBody: '0' },
): Promise<number> {
  installProxy(program)
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-proxy-'))
  const from = await freePort()
  const config = join(folder, 'config')
  writeFileSync(config, configs[program](folder, { from, to: [to].flat() }, options))
  await runProxy({ program, args: programs[program].args(config), folder, port: from })
  return from
}

const certificate = (name: string) => fileURLToPath(new URL(`../tls/${name}.pem`, import.meta.url))

/** The authority of the certificates that the examples get here. */
export const PROXY_AUTHORITY = certificate('authority')

type Change = [from: string, to: string]

interface Example {
  folder: string
  https: number
  http: number
}

/** The roles of a cell's servers, by their numbers. */
export const CELL = ['api', 'api', 'stream', 'stream'] as const
/** Their addresses in the examples. */
const CELL_SERVERS = ['192.0.2.11', '192.0.2.12', '192.0.2.21', '192.0.2.22']
/** What puts ports of loopback in their place. */
export const cellServers = (to: readonly number[]) =>
  CELL_SERVERS.map((address, index): Change => [`${address}:8080`, `127.0.0.1:${to[index]}`])
const oneServer = ([to]: readonly number[]): Change[] => [['127.0.0.1:8080', `127.0.0.1:${to}`]]

/** The examples, and what is changed in them beside names, ports and certificates. */
const examples = {
  nginx: { program: 'nginx', file: 'nginx/floorcast.conf', changes: oneServer },
  'nginx-cell': {
    program: 'nginx',
    file: 'nginx/cell.conf',
    changes: (to: readonly number[]): Change[] => [
      ['~^([\\w-]+\\.)?stream\\.floorcast\\.example', '~^127\\.0\\.0\\.1'],
      ['example stream.floorcast.example *.stream.floorcast.example', 'example 127.0.0.1'],
      ...cellServers(to),
    ],
  },
  caddy: { program: 'caddy', file: 'caddy/Caddyfile', changes: oneServer },
  'caddy-pair': {
    program: 'caddy',
    file: 'caddy/several-servers.Caddyfile',
    changes: ([one, two]: readonly number[]): Change[] => [
      ['192.0.2.11:8080 192.0.2.12:8080', `127.0.0.1:${one} 127.0.0.1:${two}`],
    ],
  },
  haproxy: {
    program: 'haproxy',
    file: 'haproxy/haproxy.cfg',
    changes: (to: readonly number[]): Change[] => [['maxconn 50000', 'maxconn 1000'], ...oneServer(to)],
  },
  'haproxy-cell': {
    program: 'haproxy',
    file: 'haproxy/cell.cfg',
    changes: (to: readonly number[]): Change[] => [
      ['maxconn 100000', 'maxconn 9000'],
      // A name of the certificate that is not the console's.
      ['stream.floorcast.example }', '127.0.0.1 }'],
      ...cellServers(to),
    ],
  },
} as const

/** An example of Caddy on ports of loopback. */
function caddyHere(text: string, { https, http }: Example): string {
  const tls = `tls ${certificate('good')} ${certificate('server-key')}`
  const site = change(text, [
    ['\n{$SITE:floorcast.example} {', `\nlocalhost:${https} {\n\tbind 127.0.0.1 [::1]\n\t${tls}`],
  ])
  return `{\n\tadmin off\n\thttp_port ${http}\n}\n${site}`
}

/** An example of nginx on ports of loopback. */
function siteHere(text: string, { folder, https, http }: Example): string {
  const site = change(text, [
    ['listen 443 ', `listen 127.0.0.1:${https} `],
    ['listen [::]:443 ', `listen [::1]:${https} `],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen [::]:80;', `listen [::1]:${http};`],
    ['server_name floorcast.example', 'server_name localhost'],
    ['/etc/letsencrypt/live/floorcast.example/fullchain.pem', certificate('good')],
    ['/etc/letsencrypt/live/floorcast.example/privkey.pem', certificate('server-key')],
  ])
  return withNginxAround(folder, site)
}

/** An example of HAProxy on ports of loopback. */
function listenHere(text: string, { folder, https, http }: Example): string {
  const pem = join(folder, 'site.pem')
  writeFileSync(pem, ['good', 'server-key'].map(name => readFileSync(certificate(name), 'utf8')).join(''))
  return change(text, [
    ['bind :80', `bind 127.0.0.1:${http}`],
    ['bind [::]:80', `bind [::1]:${http}`],
    ['bind :443', `bind 127.0.0.1:${https}`],
    ['bind [::]:443', `bind [::1]:${https}`],
    ['/etc/haproxy/certs/floorcast.example.pem', pem],
  ])
}

/** How each program takes an example. */
const programs = {
  nginx: { write: siteHere, args: (config: string) => ['-c', config] },
  caddy: {
    write: caddyHere,
    args: (config: string) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
  haproxy: { write: listenHere, args: (config: string) => ['-f', config] },
}

/** The file of a whole nginx, as Debian's includes sites. */
const withNginxAround = (folder: string, site: string) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  ${FOLDERS.map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${site}
}`

export type ExampleProgram = keyof typeof examples

/** As `startExampleProxy`, with a hand on its process. */
export async function runExampleProxy(
  example: ExampleProgram,
  to: number | readonly number[],
  more = '',
): Promise<RunningProxy & { port: number }> {
  const { program, file, changes } = examples[example]
  const { write, args } = programs[program]
  installProxy(program)
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-proxy-'))
  const config = join(folder, 'config')
  const https = await freePort()
  const text = readExample(file)
  const whole = text.endsWith('}\n') ? `${text.slice(0, -2)}${more}}\n` : `${text}${more}`
  const changed = change(whole, changes([to].flat()))
  writeFileSync(config, write(changed, { folder, https, http: await freePort() }))
  const environment = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const running = await runProxy({ program, args: args(config), folder, port: https, environment })
  return { ...running, port: https }
}

/**
 * Runs an example of ops/ with TLS in front of ports of loopback, until the end of the file's tests. @param more goes to the end of its
 * site @returns its port
 */
export const startExampleProxy = async (...of: Parameters<typeof runExampleProxy>): Promise<number> =>
  (await runExampleProxy(...of)).port

/** Runs Caddy by the example as it is, with an address of this machine and a server in its environment: compose.yaml does so. */
export async function startCaddyFor(site: string, server: string): Promise<void> {
  installProxy('caddy')
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-proxy-'))
  const config = join(folder, 'config')
  writeFileSync(config, `{\n\tadmin off\n}\n${readExample(examples.caddy.file)}`)
  const environment = {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    SITE: site,
    SERVER: server,
  }
  const port = Number(new URL(site).port)
  await runProxy({ program: 'caddy', args: programs.caddy.args(config), folder, port, environment })
}

/** Runs nginx with a site of Debian's own kind, `location / { proxy_pass … }`. @returns its port */
export async function startPlainNginx(to: number): Promise<number> {
  installProxy('nginx')
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-proxy-'))
  const port = await freePort()
  const config = join(folder, 'config')
  const site = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${to}; } }`
  writeFileSync(config, withNginxAround(folder, site))
  await runProxy({ program: 'nginx', args: ['-c', config], folder, port })
  return port
}
