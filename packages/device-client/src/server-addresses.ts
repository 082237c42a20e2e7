import {
  type AddressRefusal,
  type AddressStatement,
  parseAddressStatement,
  type ReportedServer,
  type SignedAddress,
} from '@floorcast/contract/server-address.ts'
import { z } from 'zod'
import type { PlayLog } from './play-log.ts'
import type { ServerAddresses, ToldAddresses } from './session-opener.ts'
import { ANSWERS, findUid, isSignedBy, probe, type ProbeParts } from './server-probe.ts'
import type { StateStore } from './state-store.ts'

/* Names in the state store; agents in shops have written them. */
const STATE = 'server-addresses'
const SIGNED = 'signed-server-address'
const CLIENT = 'server-client'
const SILENT = 'server-silent-since'

const Known = z.object({ installed: z.string(), current: z.string(), told: z.string().nullable() })
type Known = z.infer<typeof Known>

/** The newest signed address. Releases that do not know it leave it, so that its counter outlives a way back. */
const Kept = z.object({
  address: z.string(),
  counter: z.int(),
  /** The public key by which it was checked: a key in wrong hands must not bind a device that has got another one. */
  key: z.string(),
})
type Kept = z.infer<typeof Kept>

/** The client of a device, as the first server has told that opened a session of it. */
const Owner = z.object({ playPointUid: z.string(), client: z.string() })

const MAX_ADDRESS_LENGTH = 300
const MAX_REPORTS = 100
/** For so long a device stays with a signed address that does not answer, before it asks the one of its installation. */
export const HOME_MS = 3_600_000

export interface AddressParts extends ProbeParts {
  /** The address of the installation. */
  installed: string
  /** The public key for updates that the installation was given; null: none. */
  updateKey: string | null
  state: Pick<StateStore, 'read' | 'write'>
  log: Pick<PlayLog, 'debug'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Why an address that the server tells is not taken; null if it may be tried. */
function whyNot(address: string, current: string): string | null {
  const url = URL.parse(address)
  if (address.length > MAX_ADDRESS_LENGTH || !url || !/^https?:$/.test(url.protocol))
    return 'it is no address'
  if (url.username || url.password || url.search || url.hash) return 'it has more than a host and a path'
  return losesTls(address, current) ? 'it has no TLS' : null
}

/** The session's token would travel in clear. */
const losesTls = (address: string, current: string) =>
  current.startsWith('https:') && address.startsWith('http:')

const REASONS: Record<AddressRefusal, string> = {
  unsigned: 'it is not signed, and this player has an update key',
  signature: "its signature is not one of this player's update key",
  client: 'it is signed for the devices of another client',
  old: 'it was signed before the address that this player has',
  form: 'this version cannot read what was signed',
  'no-tls': 'it has no TLS',
  'not-server': 'it does not prove that it is the server of this device',
}

/**
 * The addresses at which a device's server may answer: the one of its last session, the one that this server has told, and the one of
 * its installation. docs/decisions/0286 and 0353.
 *
 * A device with an update key takes only an address that its key has signed, so that who has the server does not have the shops. A told
 * address gets the license key only after its server has proven that it has it too. The device leaves a signed address for the one of
 * its installation only when that proves the same, and the signed one has refused the key or was silent for an hour.
 */
export class KnownAddresses implements ServerAddresses {
  readonly #parts: AddressParts
  readonly #installed: string
  readonly #reported = new Set<string>()
  #known: Known
  #kept: Kept | null
  /** Since when no address has answered; null: one does. */
  #silentSince: number | null
  /** The address that is not taken, as it was told, as it was signed, and as it answered. */
  readonly #refusals: Record<'told' | 'signed' | 'probe', ReportedServer['refused']> = {
    told: null,
    signed: null,
    probe: null,
  }
  /** What was read last: each heartbeat brings the same. */
  #lastSigned = ''
  #reading: Promise<void> = Promise.resolve()

  constructor(parts: AddressParts) {
    this.#parts = parts
    const installed = parts.installed.replace(/\/+$/, '')
    this.#installed = installed
    const saved = Known.safeParse(parts.state.read(STATE)).data
    // Another address on the command line is what a technician wants now.
    this.#known = saved?.installed === installed ? saved : { installed, current: installed, told: null }
    const kept = Kept.safeParse(parts.state.read(SIGNED)).data
    this.#kept = kept?.key === parts.updateKey ? (kept ?? null) : null
    this.#silentSince = z.number().safeParse(parts.state.read(SILENT)).data ?? null
  }

  /** Where its session begins. */
  get first(): string {
    return this.#known.current
  }

  isInstalled(origin: string): boolean {
    return origin === this.#installed
  }

  hasOther(current: string): boolean {
    return current !== this.#installed || this.#others(current).length > 0
  }

  report(): ReportedServer {
    const counter = this.#kept?.counter ?? null
    const { signed, probe: answered, told } = this.#refusals
    const refused = signed ?? answered ?? told
    return { address: this.#known.current, counter, refused }
  }

  noteTold(told: ToldAddresses): void {
    this.#noteSilence(false)
    const { updateKey } = this.#parts
    if (updateKey === null) this.#takeUnsigned(told.other?.replace(/\/+$/, '') ?? null)
    else this.#reading = this.#reading.then(() => this.#takeSigned(told, updateKey))
  }

  noteOpened(origin: string, client?: string): void {
    this.#noteSilence(false)
    if (origin !== this.#known.current)
      this.#parts.log.debug(
        'warning',
        'server-changed',
        `Reports to ${origin}; ${this.#known.current} does not answer`,
      )
    this.#save({ current: origin })
    if (this.#refusals.probe?.address === origin) this.#refusals.probe = null
    if (client !== undefined) this.#keepOwner(client)
  }

  async find(current: string, isRefused: boolean): Promise<string | null> {
    await this.#reading
    if (!isRefused && ANSWERS.has(await probe(this.#parts, current))) {
      this.#noteSilence(false)
      return null
    }
    if (!isRefused) this.#noteSilence(true)
    for (const other of this.#others(current)) {
      const found = await probe(this.#parts, other)
      if (found === 'proven') return other
      if (found === 'answers' || found === 'wrong') this.#refuse('probe', other, 'not-server')
    }
    return this.#findInstalled(current, isRefused)
  }

  async #findInstalled(current: string, isRefused: boolean): Promise<string | null> {
    if (current === this.#installed) return null
    const { updateKey, now } = this.#parts
    if (updateKey === null || this.#known.current === this.#installed) return this.#installed
    const silentMs = now() - (this.#silentSince ?? now())
    if (!isRefused && silentMs < HOME_MS) return null
    if (findUid(this.#parts) === null) return this.#installed
    return (await probe(this.#parts, this.#installed)) === 'proven' ? this.#installed : null
  }

  /** The addresses that have to prove themselves, in turn. That of the installation is one of them if it is signed. */
  #others(current: string): string[] {
    const signed = this.#kept?.address
    const all = [signed, this.#known.current, this.#known.told]
    return [...new Set(all.flatMap(each => each ?? []))].filter(
      each => each !== current && (each !== this.#installed || each === signed),
    )
  }

  #takeUnsigned(told: string | null): void {
    const why = told === null ? null : whyNot(told, this.#known.current)
    if (why !== null) this.#reportOnce(told ?? '', why)
    this.#save({ told: why === null ? told : null })
  }

  async #takeSigned({ other, signed }: ToldAddresses, publicKey: string): Promise<void> {
    if (!signed) this.#refusals.signed = null
    const same = signed ? `${signed.text} ${signed.signature}` : ''
    if (signed && same !== this.#lastSigned) await this.#readSigned(signed, publicKey)
    this.#lastSigned = same
    const told = other?.replace(/\/+$/, '')
    const known = [this.#installed, this.#known.current, this.#kept?.address]
    if (told === undefined || known.includes(told)) this.#refusals.told = null
    else this.#refuse('told', told, 'unsigned')
    this.#save({ told: null })
  }

  async #readSigned(signed: SignedAddress, publicKey: string): Promise<void> {
    const statement = parseAddressStatement(signed.text)
    const address = statement?.address ?? /^address (\S+)$/m.exec(signed.text)?.[1] ?? '?'
    if (!(await isSignedBy(publicKey, signed))) return this.#refuse('signed', address, 'signature')
    if (!statement) return this.#refuse('signed', address, 'form')
    const why = this.#whyRefused(statement)
    if (why !== null) return this.#refuse('signed', address, why)
    this.#refusals.signed = null
    if (statement.counter === this.#kept?.counter) return
    this.#refusals.probe = null
    this.#keep({ address, counter: statement.counter, key: publicKey })
    this.#parts.log.debug('info', 'server-told', `${address} is a signed address of the server`)
  }

  #whyRefused({ client, address, counter }: AddressStatement): AddressRefusal | null {
    if (client !== this.#readOwner()) return 'client'
    const kept = this.#kept
    if (kept && (counter < kept.counter || (counter === kept.counter && address !== kept.address)))
      return 'old'
    return losesTls(address, this.#known.current) ? 'no-tls' : null
  }

  #readOwner(): string | null {
    const owner = Owner.safeParse(this.#parts.state.read(CLIENT)).data
    return owner && owner.playPointUid === this.#parts.storage.read()?.playPointUid ? owner.client : null
  }

  /** The first answer counts: a server that was taken over must not make the device another client's. */
  #keepOwner(client: string): void {
    const playPointUid = this.#parts.storage.read()?.playPointUid
    if (playPointUid === undefined || this.#readOwner() !== null) return
    this.#parts.state.write(CLIENT, { playPointUid, client })
    this.#keep(null)
  }

  #keep(kept: Kept | null): void {
    this.#kept = kept
    this.#parts.state.write(SIGNED, kept)
  }

  #noteSilence(isSilent: boolean): void {
    if (isSilent === (this.#silentSince !== null)) return
    this.#silentSince = isSilent ? this.#parts.now() : null
    this.#parts.state.write(SILENT, this.#silentSince)
  }

  #save(changed: Partial<Known>): void {
    const next = { ...this.#known, ...changed }
    const isSaved = next.current === this.#known.current && next.told === this.#known.told
    this.#known = next
    if (!isSaved) this.#parts.state.write(STATE, next)
  }

  #refuse(by: 'told' | 'signed' | 'probe', address: string, why: AddressRefusal): void {
    this.#refusals[by] = { address: address.slice(0, MAX_ADDRESS_LENGTH), why }
    this.#reportOnce(address, REASONS[why])
  }

  #reportOnce(address: string, why: string): void {
    const same = `${address.slice(0, MAX_ADDRESS_LENGTH)}: ${why}`
    if (this.#reported.has(same) || this.#reported.size >= MAX_REPORTS) return
    this.#reported.add(same)
    this.#parts.log.debug('warning', 'server-not-taken', same)
  }
}
