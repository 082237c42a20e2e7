import { parseArgs } from 'node:util'
import { UpdateKey } from '@floorcast/contract/update-signing.ts'
import { type Fault, FAULTS, PLAYER_FAULTS } from './faults.ts'

export interface Options {
  devices: number
  /** The server's origin, without a slash at its end. */
  server: string
  /** The public key for updates; null means none. */
  updateKey: string | null
  /** The speed of the devices' clock relative to wall time. */
  speed: number
  /** Hours before wall time at which the devices' clock starts. */
  hoursAgo: number
  /** The run time in seconds of wall time; null means until a signal. */
  seconds: number | null
  /** Seconds between heartbeats; null means each manifest's setting. */
  heartbeatSeconds: number | null
  /** A JSON file of license keys, to which new ones are added. */
  keysFile: string
  /** The user to whose client new devices are added; null means that only the file's devices play. */
  credentials: { email: string; password: string } | null
  /** The group of new devices; null means none. */
  groupUid: string | null
  /** Whether every file counts as held, without a download. */
  holdsAll: boolean
  /** Whether devices keep the events that they have sent, and send them again to a restored server. */
  keepsSent: boolean
  /** The share of the devices that have a fault, from 0 to 1. */
  faultyShare: number
  /** Their faults, in turn. */
  faults: readonly Fault[]
  startsPerSecond: number
  /** The number of loopback addresses from which the devices connect; null means the system's choice. */
  addresses: number | null
  /** Whether the fleet ends with its standard input, and so with the program that started it. */
  endsWithInput: boolean
}

export const HELP = `npm run fleet -- --devices N --server URL [options]

  --devices N         how many devices to simulate
  --server URL        the Floorcast server
  --email, --password the user to whose client new devices are added (or FLEET_EMAIL, FLEET_PASSWORD)
  --group UID         the group of new devices
  --keys FILE         the file of license keys; new ones are added (default data/fleet-keys.json)
  --update-key KEY    the public key for updates: they then go to an address that its owner has signed
  --speed X           the speed of the devices' clock, up to 20 hours ahead (default 1)
  --hours-ago H       start the devices' clock H hours ago (default 0)
  --heartbeat S       seconds between heartbeats (default: as the server says)
  --seconds S         end after S seconds (default: at Ctrl C)
  --per-second N      how many devices start in a second (default 100)
  --holds-all         take every file as held and download none
  --keeps-sent        keep the events that were sent, as agents do: a restored server gets them again
  --faulty P          let P percent of the devices have a fault (default 0)
  --faults LIST       their faults, in turn: ${FAULTS.slice(0, 6).join(', ')},
                      ${FAULTS.slice(6).join(', ')} (default all these),
                      ${PLAYER_FAULTS.join(', ')}
  --addresses N       connect from N addresses of this machine, from 127.0.0.1 on: needed beyond some 25,000
                      connections to a server on 127.0.0.1
  --ends-with-input   end when standard input is closed. Until then its line 'summary' prints the summary, and its
                      line 'mark' begins the counts of calls, alerts and bytes again
  --help              print this help
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

function parseFaults(text: string | undefined): readonly Fault[] {
  if (text === undefined) return FAULTS
  return text.split(',').map(name => {
    const known = [...FAULTS, ...PLAYER_FAULTS]
    const fault = known.find(each => each === name.trim())
    if (!fault) throw new Error(`--faults knows ${known.join(', ')}, not '${name}'`)
    return fault
  })
}

function parseUpdateKey(text: string | undefined): string | null {
  if (text !== undefined && !UpdateKey.safeParse(text).success)
    throw new Error(`--update-key must be a public key as sign-update prints it, not '${text}'`)
  return text ?? null
}

/** Reads the command line. @throws Error that names the correct form. */
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
      'update-key': text,
      speed: text,
      'hours-ago': text,
      heartbeat: text,
      seconds: text,
      'per-second': text,
      addresses: text,
      faulty: text,
      faults: text,
      'holds-all': { type: 'boolean' },
      'keeps-sent': { type: 'boolean' },
      'ends-with-input': { type: 'boolean' },
    },
  })
  const devices = parseNumber('devices', values.devices, { min: 1, max: 100_000 })
  if (devices === null || !Number.isInteger(devices))
    throw new Error('--devices N is needed: how many to simulate')
  if (!values.server || !/^https?:\/\/[^/]/.test(values.server))
    throw new Error('--server URL is needed, such as http://localhost:8080')
  const addresses = parseNumber('addresses', values.addresses, { min: 1, max: 250 })
  if (addresses !== null && !/^http:\/\/127\.0\.0\.1(:|\/|$)/.test(values.server))
    throw new Error('--addresses needs a server on http://127.0.0.1')
  const faulty = parseNumber('faulty', values.faulty, { min: 0, max: 100 }) ?? 0
  if (faulty > 0 && !values.server.startsWith('http://'))
    throw new Error('--faulty needs a server on http://: its lines to the server are not encrypted')
  const email = values.email ?? env['FLEET_EMAIL']
  const password = values.password ?? env['FLEET_PASSWORD']
  if (Boolean(email) !== Boolean(password)) throw new Error('--email and --password go together')
  return {
    devices,
    server: values.server.replace(/\/+$/, ''),
    updateKey: parseUpdateKey(values['update-key']),
    speed: parseNumber('speed', values.speed, { min: 0.1, max: 10_000 }) ?? 1,
    hoursAgo: parseNumber('hours-ago', values['hours-ago'], { min: 0, max: 2000 }) ?? 0,
    seconds: parseNumber('seconds', values.seconds, { min: 0.1, max: 10_000_000 }),
    heartbeatSeconds: parseNumber('heartbeat', values.heartbeat, { min: 0.01, max: 3600 }),
    keysFile: values.keys ?? 'data/fleet-keys.json',
    credentials: email && password ? { email, password } : null,
    groupUid: values.group ?? null,
    holdsAll: values['holds-all'] ?? false,
    keepsSent: values['keeps-sent'] ?? false,
    faultyShare: faulty / 100,
    faults: parseFaults(values.faults),
    startsPerSecond: parseNumber('per-second', values['per-second'], { min: 1, max: 10_000 }) ?? 100,
    addresses,
    endsWithInput: values['ends-with-input'] ?? false,
  }
}
