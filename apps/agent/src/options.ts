import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export interface Options {
  server: string | null
  key: string | null
  dataDir: string
  audioOutput: string | null
  /** Seconds between heartbeats; null means the manifest's setting. */
  heartbeatSeconds: number | null
  command: 'play' | 'print-cue' | 'print-events' | 'print-help' | 'print-version'
}

export const help = `floorcast-agent --server URL --key KEY|--key-file FILE [--data DIR] [--audio OUTPUT]

  --server URL     the Floorcast server (or FLOORCAST_SERVER)
  --key KEY        the license key on the device's card (or FLOORCAST_KEY)
  --key-file FILE  a file with the license key, which other users cannot read (or FLOORCAST_KEY_FILE)
  --data DIR       the folder of media and event log (or FLOORCAST_DATA; default ./data/agent)
  --audio OUTPUT   mpv's audio output; null plays without sound (or FLOORCAST_AUDIO)
  --heartbeat S    seconds between heartbeats (default: as the server says)
  --print-cue      print what plays now and next, and why; needs no server
  --print-events   print the event log, one JSON line for each event; needs no server
  --version        print the version
  --help           print this help
`

function parseHeartbeat(text: string | undefined): number | null {
  if (text === undefined) return null
  const seconds = Number(text)
  if (!(seconds >= 0.1 && seconds <= 3600))
    throw new Error(`--heartbeat must be a number of seconds from 0.1 to 3600, not '${text}'`)
  return seconds
}

function readKeyFile(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`The license key's file cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** Reads the command line, then the environment. @throws Error that names the correct form. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args,
    options: {
      server: { type: 'string' },
      key: { type: 'string' },
      'key-file': { type: 'string' },
      data: { type: 'string' },
      audio: { type: 'string' },
      heartbeat: { type: 'string' },
      'print-cue': { type: 'boolean' },
      'print-events': { type: 'boolean' },
      help: { type: 'boolean' },
      version: { type: 'boolean' },
    },
  })
  const flags = {
    'print-cue': values['print-cue'],
    'print-events': values['print-events'],
    'print-help': values.help,
    'print-version': values.version,
  }
  const commands = ['print-cue', 'print-events', 'print-help', 'print-version'] as const
  const command = commands.find(name => flags[name])
  const keyFile = values['key-file'] ?? env['FLOORCAST_KEY_FILE']
  const server = values.server ?? env['FLOORCAST_SERVER'] ?? null
  if (server !== null && !/^https?:\/\/[^/]/.test(server))
    throw new Error(`--server must be an address such as https://floorcast.example, not '${server}'`)
  return {
    server,
    key: (values.key ?? env['FLOORCAST_KEY'] ?? readKeyFile(keyFile))?.trim() || null,
    dataDir: resolve(values.data ?? env['FLOORCAST_DATA'] ?? 'data/agent'),
    audioOutput: values.audio ?? env['FLOORCAST_AUDIO'] ?? null,
    heartbeatSeconds: parseHeartbeat(values.heartbeat),
    command: command ?? 'play',
  }
}
