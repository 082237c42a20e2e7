import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { WebSocket } from 'ws'
import { PROBE_CHANNEL, PROBE_PATH, PROBE_PAUSE_MS, type ProbeLine } from '../platform/http/routes/probe.ts'
import { sampleAddressOf } from '../platform/settings/address-settings.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { checkBodies } from './check-bodies.ts'
import { type Finding, messageOf, openCall, readAll, right, SEE, TIMEOUT_MS, wrong } from './finding.ts'

/* The part of `npm run admin -- check` that calls the server as browsers and devices do: by its public addresses. */

/** An address of documentation (RFC 5737), which no caller has. */
const CLAIMED_ADDRESS = '203.0.113.77'
/** Renewals come a month before the end. */
const MIN_CERTIFICATE_DAYS = 14
const DAY_MS = 86_400_000

/** An address of the installation, and what comes by it. */
interface Target {
  address: string
  isApi: boolean
  isDevices: boolean
}

/** Each address once. The console's own files come by PUBLIC_URL. */
export function targetsOf({ publicUrl, apiUrl, streamUrl }: Settings): Target[] {
  const devicesUrl = sampleAddressOf(streamUrl)
  return [...new Set([publicUrl, apiUrl, devicesUrl])].map(address => ({
    address,
    isApi: address === apiUrl,
    isDevices: address === devicesUrl,
  }))
}

interface Probed {
  line: ProbeLine
  /** How far the server's clock is ahead of this machine's. */
  aheadMs: number
  /** This side of the connection. */
  local: { address: string; port: number }
  /** The time between the two lines of the answer. */
  betweenLinesMs: number
}

/** What a server says of itself. */
export type AskedServer = Pick<Probed, 'line' | 'aheadMs'>

type Answered = { status: number; text: string } | Probed

async function probe(url: URL, token: string): Promise<Answered> {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': CLAIMED_ADDRESS }
  const call = openCall(url, { headers })
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  const { localAddress = '', localPort = 0 } = answer.socket
  if (answer.statusCode !== 200) return { status: answer.statusCode ?? 0, text: await readAll(answer) }
  let text = ''
  let firstAt: number | null = null
  const came = Date.now()
  for await (const chunk of answer.setEncoding('utf8')) {
    firstAt ??= performance.now()
    text += String(chunk)
  }
  const local = { address: localAddress.replace(/^::ffff:(?=\d+\.)/i, ''), port: localPort }
  const line = JSON.parse(text.split('\n')[0] ?? '') as ProbeLine
  const aheadMs = Date.parse(line.now) - came
  return { line, aheadMs, local, betweenLinesMs: performance.now() - (firstAt ?? 0) }
}

/** The server makes a missing key when it is asked for the first time. @returns null: a Floorcast is there */
export async function findServer(address: string): Promise<string | null> {
  try {
    const call = openCall(new URL(address + PROBE_PATH), { headers: { authorization: `Bearer ${BLANK}` } })
    call.end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    const text = await readAll(answer)
    if (answer.statusCode === 401 && text.includes('probe-token')) return null
    return `${address} answers with HTTP ${answer.statusCode}, and not as this version of Floorcast does: does the proxy forward to its PORT?`
  } catch (error) {
    return `${address} cannot be reached from here (${messageOf(error)}): is the server running, and does the name lead to the proxy?`
  }
}

/** It has the form of a token, so that the server opens its key. */
const BLANK = `probe.${'9'.repeat(13)}.${'A'.repeat(43)}`

/** All that is told of one address. @param token of the server whose secret.key is here */
export async function checkAddress(
  { address, isApi, isDevices }: Target,
  { token, settings, now }: { token: string; settings: Settings; now: Date },
): Promise<{ findings: Finding[]; server: AskedServer | null }> {
  const url = new URL(address + PROBE_PATH)
  const certificate = await checkCertificate(new URL(address), now)
  const [answered, bodies, channel] = await Promise.all([
    probe(url, token).catch((error: unknown) => ({ status: 0, text: messageOf(error) })),
    isApi ? checkBodies(url, token) : [],
    isDevices ? checkChannel(address, token).then(finding => [finding]) : [],
  ])
  if (!('line' in answered)) return { findings: [certificate, notKnown(address, answered)], server: null }
  return {
    findings: [
      certificate,
      checkCaller(answered, settings),
      ...channel,
      ...bodies,
      ...(isApi ? [checkAnswers(answered)] : []),
    ],
    server: answered,
  }
}

function notKnown(address: string, { status, text }: { status: number; text: string }): Finding {
  if (status === 401)
    return wrong(
      'secret key',
      `The server at ${address} has another secret.key than the DATA_DIR of these settings, or its clock is minutes off: give all servers of the installation the same file`,
    )
  return wrong('server', `${address} answers a probe with HTTP ${status}: ${text.slice(0, 200)}`)
}

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)

/** The certificate that an address shows to this machine, which trusts what devices trust. */
async function checkCertificate({ protocol, hostname, port, origin }: URL, now: Date): Promise<Finding> {
  if (protocol === 'http:')
    return isLoopback(hostname)
      ? right('tls', `none: ${origin} is this machine alone`)
      : wrong(
          'tls',
          `${origin} is not encrypted: passwords go over the network in clear. Put TLS in front, and set PUBLIC_URL to https: (docs/operate/tls.md)`,
        )
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connectTls({
    host,
    port: Number(port || 443),
    servername: /^[\d.]+$|:/.test(host) ? '' : host,
    rejectUnauthorized: false,
    timeout: TIMEOUT_MS,
  })
  socket.on('timeout', () => socket.destroy(new Error('no answer')))
  try {
    await once(socket, 'secureConnect')
    return describeCertificate(socket, origin, now)
  } catch (error) {
    return wrong('tls', `${origin} does not speak TLS (${messageOf(error)}): docs/operate/tls.md`)
  } finally {
    socket.destroy()
  }
}

function describeCertificate(socket: TLSSocket, origin: string, now: Date): Finding {
  const ends = new Date(socket.getPeerCertificate().valid_to)
  const days = Math.floor((ends.getTime() - now.getTime()) / DAY_MS)
  const until = `until ${ends.toISOString().slice(0, 10)}, ${days} days`
  if (!socket.authorized)
    return wrong(
      'tls',
      `The certificate of ${origin} is not trusted here (${String(socket.authorizationError)}; ${until}). Devices refuse it too. Is the chain whole, and the name right? For an authority of your own set NODE_EXTRA_CA_CERTS`,
    )
  return days < MIN_CERTIFICATE_DAYS
    ? wrong('tls', `The certificate of ${origin} is valid ${until} only: its renewal does not work`)
    : right('tls', `${socket.getProtocol()}, a certificate ${until}`)
}

/** Whether limits count the caller, and not the proxy. The probe has claimed to come from another address. */
export function checkCaller({ line, local }: Probed, { trustProxy }: Settings): Finding {
  const { caller, peer, peerPort, forwardedFor, trustsPeer } = line
  const set = `TRUST_PROXY=${trustProxy === false ? 'false' : String(trustProxy)}`
  if (caller === CLAIMED_ADDRESS)
    return wrong(
      'caller',
      `Callers can claim any address, and so pass by the limits: let the proxy set X-Forwarded-For to the caller's own (nginx: proxy_set_header X-Forwarded-For $remote_addr), or ${set} trusts too many; ${SEE}`,
    )
  if (peer === local.address && peerPort === local.port)
    return trustProxy === false
      ? right('caller', `${caller}, and no proxy in between`)
      : wrong('caller', `There is no proxy in between, and ${set} trusts one: callers can claim any address`)
  if (!trustsPeer)
    return wrong(
      'caller',
      `The proxy connects from ${peer}, which ${set} does not name: all callers share the limits of one address. Set TRUST_PROXY=${peer}`,
    )
  if (forwardedFor === null || forwardedFor === CLAIMED_ADDRESS)
    return wrong(
      'caller',
      `The proxy does not write the caller's address: all callers share the limits of one address. Let it set X-Forwarded-For; ${SEE}`,
    )
  const named = forwardedFor.split(',').map(part => part.trim())
  if (caller !== local.address && named.includes(local.address))
    return wrong(
      'caller',
      `The server takes ${caller} for the caller, which is a further proxy: TRUST_PROXY has to name it too, beside ${peer}`,
    )
  return right('caller', `${caller}, named by the proxy at ${peer}`)
}

async function checkChannel(address: string, token: string): Promise<Finding> {
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}${PROBE_CHANNEL}`, {
    headers: { authorization: `Bearer ${token}` },
    rejectUnauthorized: false,
    handshakeTimeout: TIMEOUT_MS,
  })
  const ended = new AbortController()
  const { promise, resolve } = Promise.withResolvers<Finding>()
  socket.on('open', () => socket.send('probe'))
  socket.on('message', () => resolve(right('channel', 'WebSockets of devices are let through')))
  socket.on('unexpected-response', (_, { statusCode }) => resolve(refusedChannel(statusCode ?? 0)))
  socket.on('error', (error: Error) =>
    resolve(wrong('channel', `A WebSocket is not let through (${messageOf(error)}); ${SEE}`)),
  )
  socket.on('close', () => resolve(wrong('channel', `A WebSocket ends before its first message; ${SEE}`)))
  const late = pause(TIMEOUT_MS, null, { signal: ended.signal }).then(
    () => wrong('channel', `A WebSocket opens, and its messages do not come through; ${SEE}`),
    () => promise,
  )
  const finding = await Promise.race([promise, late])
  ended.abort()
  socket.terminate()
  return finding
}

function refusedChannel(status: number): Finding {
  if (status === 426)
    return wrong(
      'channel',
      `The proxy does not pass WebSockets: alerts and commands reach no device at once. Let it forward the headers Upgrade and Connection by HTTP/1.1; ${SEE}`,
    )
  return wrong('channel', `A WebSocket is answered with HTTP ${status}, and not opened; ${SEE}`)
}

/** Whether the console's stream of changes arrives as it is written. */
function checkAnswers({ betweenLinesMs }: Probed): Finding {
  return betweenLinesMs > PROBE_PAUSE_MS / 2
    ? right('answers', 'are forwarded as they come')
    : wrong(
        'answers',
        `The proxy collects answers: open consoles show changes late or never. For nginx: proxy_buffering off, and no compression of application/x-ndjson; ${SEE}`,
      )
}
