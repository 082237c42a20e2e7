import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Buffer) => bytes.toString('base64url')

/** Flags of authenticator data: the user is present, was verified, and a credential follows. */
const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40]

interface AuthenticatorOptions {
  origin?: string
  /** The user gave a PIN or a finger. */
  isVerified?: boolean
}

/** A passkey in software, as a browser would answer with it (WebAuthn level 2, ES256, no attestation). */
export function makeAuthenticator({
  origin = 'https://shop.example',
  isVerified = true,
}: AuthenticatorOptions = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0
  const flags = PRESENT | (isVerified ? VERIFIED : 0)
  const dataOf = (flag: number, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter++)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flag]), count, rest])
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const credential = {
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
  }

  return {
    /** Answers `navigator.credentials.create`. */
    create(challenge: string) {
      const length = Buffer.from([0, id.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const authData = dataOf(flags | ATTESTED, attested)
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge)),
          attestationObject: base64url(attestationOf(authData)),
          transports: ['internal'],
        },
      }
    },
    /** Answers `navigator.credentials.get`. */
    get(challenge: string) {
      const data = clientData('webauthn.get', challenge)
      const authenticatorData = dataOf(flags)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(signature),
        },
      }
    },
  }
}

const coordinate = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')

/** CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' })
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32])
  return Buffer.concat([head, coordinate(x), Buffer.from([0x22, 0x58, 32]), coordinate(y)])
}

const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** CBOR: {fmt: "none", attStmt: {}, authData}. */
function attestationOf(authData: Buffer): Buffer {
  const length = Buffer.from([0x58, authData.length])
  const fields = [cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])]
  return Buffer.concat([Buffer.from([0xa3]), ...fields, cborText('authData'), length, authData])
}
