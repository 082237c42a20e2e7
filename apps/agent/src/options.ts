import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UpdateKey } from '@floorcast/contract/update-signing.ts'
import { isSupervised } from './update/health-signs.ts'
import type { UpdateSettings } from './update/start-updates.ts'

export interface Options {
  server: string | null
  key: string | null
  dataDir: string
  audioOutput: string | null
  /** The screen's picture where no video plays; null means the logo. */
  picture: string | null
  /** Seconds between heartbeats; null means the manifest's setting. */
  heartbeatSeconds: number | null
  updates: UpdateSettings
  /** The time in which a new version must be healthy. */
  healthSeconds: number
  /** The time in which an install command must end. */
  installSeconds: number
  /** The version and the file of `install-update`; the copy of data of `self-test`. */
  positionals: string[]
  command:
    | 'play'
    | 'supervise'
    | 'install-update'
    | 'self-test'
    | 'print-cue'
    | 'print-events'
    | 'print-help'
    | 'print-version'
    | 'print-build'
}

/** Settings that a restart does not correct. */
export class WrongUse extends Error {}

export const help = `floorcast-agent --server URL --key KEY|--key-file FILE [--data DIR] [--audio OUTPUT]

  --server URL     the Floorcast server (or FLOORCAST_SERVER)
  --key KEY        the license key on the device's card (or FLOORCAST_KEY)
  --key-file FILE  a file with the license key, which other users cannot read (or FLOORCAST_KEY_FILE)
  --data DIR       the folder of media and event log (or FLOORCAST_DATA; default ./data/agent)
  --audio OUTPUT   mpv's audio output; null plays without sound (or FLOORCAST_AUDIO)
  --picture FILE   what the screen of a video device shows while no video plays: an image (or FLOORCAST_PICTURE; default the
                   logo)
  --heartbeat S    seconds between heartbeats (default: as the server says)
  --supervise      start the agent as a process of its own, and change to installed updates; returns from one that is not healthy
  --health-seconds S    the time in which an update must be healthy (default 180)
  --update-key KEY      the public key for updates (or FLOORCAST_UPDATE_KEY)
  --install-command CMD a shell command that installs an update; gets its version and files (or
                        FLOORCAST_INSTALL_COMMAND; default with --supervise: the agent's own)
  --install-seconds S   the time in which it must end (default 300)
  --install-update VERSION FILE  install a bundle for the next start; the default install command
  --self-test [DIR]  try on this machine what the agent needs of Node, change nothing, and end with 0; DIR is a copy of an agent's
                   data, from which it then plays without sound, within the time of --health-seconds
  --print-cue      print what plays now and next, and why; needs no server
  --print-events   print the event log, one JSON line for each event; needs no server
  --version        print the version
  --build          print the version, and of what it was built: eight digits of the hash of its sources
  --help           print this help
`

function parseSeconds(option: string, text: string | undefined, [min, max]: [number, number]): number | null {
  if (text === undefined) return null
  const seconds = Number(text)
  if (!(seconds >= min && seconds <= max))
    throw new WrongUse(`--${option} must be a number of seconds from ${min} to ${max}, not '${text}'`)
  return seconds
}

/** The program's own install command needs the supervisor; another one needs only a service manager that restarts the agent. */
function readUpdateSettings(
  values: { 'update-key'?: string; 'install-command'?: string },
  env: NodeJS.ProcessEnv,
  { dataDir, installSeconds: timeoutSeconds }: Pick<Options, 'dataDir' | 'installSeconds'>,
): UpdateSettings {
  const key = (values['update-key'] ?? env['FLOORCAST_UPDATE_KEY'])?.trim() || null
  if (key !== null && !UpdateKey.safeParse(key).success)
    throw new WrongUse(`--update-key must be a public key as sign-update prints it, not '${key}'`)
  const shell = values['install-command'] ?? env['FLOORCAST_INSTALL_COMMAND']
  const own = [
    process.argv[1] ?? '',
    '--data',
    dataDir,
    '--install-seconds',
    `${timeoutSeconds}`,
    '--install-update',
  ]
  const command = shell
    ? { program: '/bin/sh', args: ['-c', `${shell} "$@"`, 'install-command'], timeoutSeconds }
    : isSupervised()
      ? { program: process.execPath, args: own, timeoutSeconds }
      : null
  return { publicKey: key, command }
}

function readKeyFile(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`The license key's file cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

const commands = [
  'print-cue',
  'print-events',
  'print-help',
  'print-version',
  'print-build',
  'install-update',
  'self-test',
  'supervise',
] as const

const readPath = (path: string | undefined): string | null => (path ? resolve(path) : null)

/** Reads the command line, then the environment. @throws Error that names the correct form. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      server: { type: 'string' },
      key: { type: 'string' },
      'key-file': { type: 'string' },
      data: { type: 'string' },
      audio: { type: 'string' },
      picture: { type: 'string' },
      heartbeat: { type: 'string' },
      'update-key': { type: 'string' },
      'install-command': { type: 'string' },
      'install-seconds': { type: 'string' },
      'health-seconds': { type: 'string' },
      supervise: { type: 'boolean' },
      'install-update': { type: 'boolean' },
      'self-test': { type: 'boolean' },
      'print-cue': { type: 'boolean' },
      'print-events': { type: 'boolean' },
      help: { type: 'boolean' },
      version: { type: 'boolean' },
      build: { type: 'boolean' },
    },
  })
  const flags = {
    'install-update': values['install-update'],
    'self-test': values['self-test'],
    supervise: values.supervise,
    'print-cue': values['print-cue'],
    'print-events': values['print-events'],
    'print-help': values.help,
    'print-version': values.version,
    'print-build': values.build,
  }
  const command = commands.find(name => flags[name])
  const maxPositionals = command === 'install-update' ? Infinity : command === 'self-test' ? 1 : 0
  if (positionals.length > maxPositionals) throw new WrongUse(`'${positionals.at(-1)}' is no option`)
  const dataDir = resolve(values.data ?? env['FLOORCAST_DATA'] ?? 'data/agent')
  const installSeconds = parseSeconds('install-seconds', values['install-seconds'], [1, 600]) ?? 300
  const keyFile = values['key-file'] ?? env['FLOORCAST_KEY_FILE']
  const server = values.server ?? env['FLOORCAST_SERVER'] ?? null
  if (server !== null && !/^https?:\/\/[^/]/.test(server))
    throw new WrongUse(`--server must be an address such as https://floorcast.example, not '${server}'`)
  return {
    server,
    key: (values.key ?? env['FLOORCAST_KEY'] ?? readKeyFile(keyFile))?.trim() || null,
    dataDir,
    audioOutput: values.audio ?? env['FLOORCAST_AUDIO'] ?? null,
    picture: readPath(values.picture ?? env['FLOORCAST_PICTURE']),
    heartbeatSeconds: parseSeconds('heartbeat', values.heartbeat, [0.1, 3600]),
    updates: readUpdateSettings(values, env, { dataDir, installSeconds }),
    installSeconds,
    healthSeconds: parseSeconds('health-seconds', values['health-seconds'], [1, 600]) ?? 180,
    positionals,
    command: command ?? 'play',
  }
}
