import { parseArgs } from 'node:util'

export interface Options {
  devices: number
  /** The server's origin, without a slash at its end. */
  server: string
  /** How much faster than the wall's the devices' clock runs. */
  speed: number
  /** How long before the wall's time the devices' clock begins, in hours. */
  hoursAgo: number
  /** How long to play, in seconds of the wall; null: until it is told to stop. */
  seconds: number | null
  /** Seconds between heartbeats; null: as each device's settings say. */
  heartbeatSeconds: number | null
  /** JSON list of licence keys: reused, and where new ones are added. */
  keysFile: string
  /** Whose client new devices are added to; null: only those of the file play. */
  credentials: { email: string; password: string } | null
  /** A paused or active group that new devices join; null: none. */
  groupUid: string | null
  /** End when standard input does: with the program that started it, however that ends. */
  endsWithInput: boolean
}

export const HELP = `npm run fleet -- --devices N --server URL [options]

  --devices N         how many devices to simulate
  --server URL        the Floorcast server
  --email, --password whose client new devices are added to (or FLEET_EMAIL, FLEET_PASSWORD)
  --group UID         the group that new devices join
  --keys FILE         licence keys to use again, and where new ones are added (default data/fleet-keys.json)
  --speed X           how much faster the devices' clock runs, up to 20 hours ahead (default 1)
  --hours-ago H       begin so many hours ago: a past day is lived through at that speed (default 0)
  --heartbeat S       seconds between heartbeats (default: as the server says)
  --seconds S         end after so many seconds (default: at Ctrl C)
  --ends-with-input   end when standard input is closed
  --help              print this and end
`

function parseNumber(
  name: string,
  text: string | undefined,
  range: { min: number; max: number },
): number | null {
  if (text === undefined) return null
  const number = Number(text)
  if (text.trim() === '' || !(number >= range.min && number <= range.max))
    throw new Error(`--${name} must be a number from ${range.min} to ${range.max}, not '${text}'`)
  return number
}

/** Reads the command line. Raises with what to write instead. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      devices: text,
      server: text,
      email: text,
      password: text,
      group: text,
      keys: text,
      speed: text,
      'hours-ago': text,
      heartbeat: text,
      seconds: text,
      'ends-with-input': { type: 'boolean' },
    },
  })
  const devices = parseNumber('devices', values.devices, { min: 1, max: 100_000 })
  if (devices === null || !Number.isInteger(devices))
    throw new Error('--devices N is needed: how many to simulate')
  if (!values.server || !/^https?:\/\/[^/]/.test(values.server))
    throw new Error('--server URL is needed, such as http://localhost:8080')
  const email = values.email ?? env['FLEET_EMAIL']
  const password = values.password ?? env['FLEET_PASSWORD']
  if (Boolean(email) !== Boolean(password)) throw new Error('--email and --password go together')
  return {
    devices,
    server: values.server.replace(/\/+$/, ''),
    speed: parseNumber('speed', values.speed, { min: 0.1, max: 10_000 }) ?? 1,
    hoursAgo: parseNumber('hours-ago', values['hours-ago'], { min: 0, max: 2000 }) ?? 0,
    seconds: parseNumber('seconds', values.seconds, { min: 0.1, max: 10_000_000 }),
    heartbeatSeconds: parseNumber('heartbeat', values.heartbeat, { min: 0.01, max: 3600 }),
    keysFile: values.keys ?? 'data/fleet-keys.json',
    credentials: email && password ? { email, password } : null,
    groupUid: values.group ?? null,
    endsWithInput: values['ends-with-input'] ?? false,
  }
}
