import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { SecretBox } from './secret-box.ts'

/** Loaded with the first passkey: it takes 100 ms and warns of experimental ciphers. */
const load = () => import('@simplewebauthn/server')

const CHALLENGE_MS = 5 * 60_000
const RANDOM_BYTES = 16
const TIME_BYTES = 8

export type { AuthenticationResponseJSON, RegistrationResponseJSON }

/** The site to which passkeys belong: browsers bind them to the host of PUBLIC_URL. */
export interface PasskeySite {
  box: SecretBox
  publicUrl: string
  now: Date
}

export interface Passkey {
  credentialId: string
  publicKey: Uint8Array
  counter: number
}

const hostOf = ({ publicUrl }: PasskeySite) => new URL(publicUrl).hostname
const originOf = ({ publicUrl }: PasskeySite) => new URL(publicUrl).origin

const signatureOf = ({ box }: PasskeySite, head: Buffer, use: string) =>
  box.hash(head.toString('base64url'), `passkey ${use}`)

/** A challenge that every server with the key recognizes: random bytes, its time and a signature. */
function makeChallenge(site: PasskeySite, use: string): Uint8Array<ArrayBuffer> {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeBigUInt64BE(BigInt(site.now.getTime()))
  const head = Buffer.concat([randomBytes(RANDOM_BYTES), time])
  return new Uint8Array(Buffer.concat([head, signatureOf(site, head, use)]))
}

/** When the challenge was made; null for one that this installation did not make for this use in the last five minutes. */
function readChallenge(site: PasskeySite, use: string, challenge: string): Date | null {
  const bytes = Buffer.from(challenge, 'base64url')
  const head = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES)
  const signature = signatureOf(site, head, use)
  const given = bytes.subarray(RANDOM_BYTES + TIME_BYTES)
  if (given.length !== signature.length || !timingSafeEqual(given, signature)) return null
  const madeAt = Number(head.readBigUInt64BE(RANDOM_BYTES))
  const age = site.now.getTime() - madeAt
  return age >= 0 && age < CHALLENGE_MS ? new Date(madeAt) : null
}

interface PasskeyOwner {
  userUid: string
  email: string
}

/** The options for a browser that makes a passkey. It stays in the authenticator and asks for a PIN or a finger. */
export const offerPasskey = async (site: PasskeySite, owner: PasskeyOwner, known: readonly string[]) =>
  (await load()).generateRegistrationOptions({
    rpName: 'Floorcast',
    rpID: hostOf(site),
    userID: new Uint8Array(Buffer.from(owner.userUid)),
    userName: owner.email,
    challenge: makeChallenge(site, owner.userUid),
    attestationType: 'none',
    excludeCredentials: known.map(id => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })

/** The passkey of a browser's answer to `offerPasskey`; null if the answer does not fit. */
export async function readNewPasskey(
  site: PasskeySite,
  userUid: string,
  response: RegistrationResponseJSON,
): Promise<(Passkey & { challengeAt: Date }) | null> {
  const { verifyRegistrationResponse } = await load()
  let challengeAt: Date | null = null
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge => {
      challengeAt = readChallenge(site, userUid, challenge)
      return challengeAt !== null
    },
    expectedOrigin: originOf(site),
    expectedRPID: hostOf(site),
    requireUserVerification: true,
    // The library throws for an answer that is malformed or of another site.
  }).catch(() => null)
  if (!verified?.verified || !verified.registrationInfo || challengeAt === null) return null
  const { id, publicKey, counter } = verified.registrationInfo.credential
  return { credentialId: id, publicKey, counter, challengeAt }
}

const SIGN_IN = 'sign-in'

/** The options for a browser that signs in with any of its passkeys of this site. */
export const askForPasskey = async (site: PasskeySite) =>
  (await load()).generateAuthenticationOptions({
    rpID: hostOf(site),
    challenge: makeChallenge(site, SIGN_IN),
    userVerification: 'required',
  })

/** The passkey's new counter and the time of the challenge; null if the answer does not fit. */
export async function checkPasskey(
  site: PasskeySite,
  passkey: Passkey,
  response: AuthenticationResponseJSON,
): Promise<{ counter: number; challengeAt: Date } | null> {
  const { verifyAuthenticationResponse } = await load()
  let challengeAt: Date | null = null
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge => {
      challengeAt = readChallenge(site, SIGN_IN, challenge)
      return challengeAt !== null
    },
    expectedOrigin: originOf(site),
    expectedRPID: hostOf(site),
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified || challengeAt === null) return null
  return { counter: verified.authenticationInfo.newCounter, challengeAt }
}
