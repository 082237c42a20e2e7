import { z } from 'zod'
import { Uid } from './fields.ts'

/** What the holder of a client's update key says: where the client's devices find their server. */
export interface AddressStatement {
  /** The uid of the client. */
  client: string
  /** An origin, without a slash at its end. */
  address: string
  /** Higher than that of each former statement of the key: the seconds since 1970 unless told otherwise. */
  counter: number
}

/** An address with its signature, which is Ed25519 over the text in UTF-8, in base64. */
export const SignedAddress = z.object({
  /** Four lines: purpose, client, address and counter. */
  text: z.string().max(600),
  /** Ed25519, in base64. */
  signature: z.string().regex(/^[A-Za-z0-9+/]{85}[AQgw]==$/),
})
export type SignedAddress = z.infer<typeof SignedAddress>

/**
 * The text of a server's proof, which is its HMAC-SHA-256 with the SHA-256 of the license key as the key. A server that has the
 * device's row can compute it; an address that a typo or a stranger named cannot, and never gets the license key.
 */
export const serverProofText = (asked: { playpointid: string; nonce: string; address: string }): string =>
  `floorcast server\n${asked.address}\n${asked.playpointid}\n${asked.nonce}\n`

const MAX_ADDRESS_LENGTH = 300
/** A URL takes more characters in a host than DNS: braces, an asterisk. */
const HOST = /^(?:[a-z0-9_.-]+|\[[\da-f:.]+\])$/

/** Why a text is no address of a server that can be signed; null if it is one. */
export function whyNoServerAddress(text: string): string | null {
  const url = URL.parse(text)
  if (text.length > MAX_ADDRESS_LENGTH || !url || !/^https?:$/.test(url.protocol) || !HOST.test(url.hostname))
    return 'it is no http or https address of a host'
  if (url.username || url.password) return 'it names a user'
  return url.origin === text ? null : `it is more than a host, or another form of it: ${url.origin}`
}

/** The text that is signed. Its first line is its purpose, so that no other signature of the key is valid for it. */
export const addressTextOf = ({ client, address, counter }: AddressStatement): string =>
  `floorcast server address\nclient ${client}\naddress ${address}\ncounter ${counter}\n`

const STATEMENT =
  /^floorcast server address\nclient (?<client>[0-9a-f-]{36})\naddress (?<address>\S{1,300})\ncounter (?<counter>[1-9]\d{0,14})\n$/

/** Reads the text of a statement; null for any other text, and for an address that cannot be one. */
export function parseAddressStatement(text: string): AddressStatement | null {
  const fields = STATEMENT.exec(text)?.groups
  if (!fields) return null
  const { client = '', address = '', counter } = fields
  if (!Uid.safeParse(client).success || whyNoServerAddress(address) !== null) return null
  return { client, address, counter: Number(counter) }
}

/** A signed address as one word, which a person carries from the machine with the key to the server: two times base64. */
export const joinSignedAddress = ({ text, signature }: SignedAddress): string => `${btoa(text)}.${signature}`

/** Takes such a word apart; null for any other. The signature is not checked. */
export function splitSignedAddress(word: string): (SignedAddress & AddressStatement) | null {
  const [encoded = '', signature] = word.split('.')
  if (!/^[A-Za-z0-9+/=]{1,800}$/.test(encoded)) return null
  try {
    const signed = SignedAddress.safeParse({ text: atob(encoded), signature }).data
    const statement = signed && parseAddressStatement(signed.text)
    return signed && statement ? { ...signed, ...statement } : null
  } catch {
    return null
  }
}

/** Why a device does not go to an address that its server has told it. */
export const AddressRefusal = z.enum([
  /** It has an update key, and the address comes without a signature. */
  'unsigned',
  /** Not the signature of its key. */
  'signature',
  /** Signed for the devices of another client. */
  'client',
  /** Signed before the address that it has. */
  'old',
  /** Signed, and of another form than this version reads. */
  'form',
  /** No TLS, where its server has TLS. */
  'no-tls',
  /** Something answers there that does not prove to be the server of this device. */
  'not-server',
])
export type AddressRefusal = z.infer<typeof AddressRefusal>

/** Where a device reports, and what it does with the addresses that its server has told. */
export const ReportedServer = z.object({
  /** Where it reports: an origin. */
  address: z.string().max(300),
  /** The counter of the signed address that it keeps; null: it keeps none. */
  counter: z.int().nonnegative().nullable(),
  /** The address to which it does not go, and an `AddressRefusal`, or a reason that this server does not know; null: none. */
  refused: z
    .object({
      /** The one to which it does not go. */
      address: z.string().max(300),
      /** An `AddressRefusal`, or another word. */
      why: z.string().max(40),
    })
    .nullable(),
})
export type ReportedServer = z.infer<typeof ReportedServer>
