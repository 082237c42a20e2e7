import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts and hashes with a key that the database does not have. `owner` is bound to the result: it fits no other row. */
export interface SecretBox {
  /** AES-256-GCM: nonce, tag, ciphertext. */
  seal(secret: Uint8Array, owner: string): Buffer
  /** @throws Error if the bytes were sealed with another key or for another owner */
  open(sealed: Buffer, owner: string): Buffer
  /** HMAC-SHA-256. */
  hash(text: string, owner: string): Buffer
  /** Tells the key from others, and says nothing of it. */
  fingerprint: Buffer
}

/** Reads the installation's key, or makes it at the first use: a file that only the server's user can read. */
async function readKey(path: string): Promise<Buffer> {
  const known = await readFile(path).catch(() => null)
  if (known) return known
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx', flush: true })
  try {
    // When several servers start at once, one makes the key.
    await link(draft, path).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(path)
}

function derived(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `floorcast ${use}`, KEY_BYTES))
}

/** The operator reads it in the log, with the call that failed. */
const doesNotFit = (path: string) =>
  `${path} does not fit what is stored: restore the file of the backup, or remove the second factors and make new proof keys as docs/manual/server.md says`

/** Opens the box when it is first needed, and again after a failure. */
export function lazySecretBox(path: string): () => Promise<SecretBox> {
  let opened: Promise<SecretBox> | undefined
  return () =>
    (opened ??= openSecretBox(path).catch((error: unknown) => {
      opened = undefined
      throw error
    }))
}

/** Opens the box of a key that is there. @throws Error that says what is wrong with it */
export async function readSecretBox(path: string): Promise<SecretBox> {
  return toBox(await readFile(path), path)
}

export async function openSecretBox(path: string): Promise<SecretBox> {
  return toBox(await readKey(path), path)
}

function toBox(key: Buffer, path: string): SecretBox {
  if (key.length !== KEY_BYTES) throw new Error(`${path} is damaged: restore it from a backup`)
  const [sealing, hashing] = [derived(key, 'seal'), derived(key, 'hash')]
  return {
    seal: (secret, owner) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text])
    },
    open: (sealed, owner) => {
      const cipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      cipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([cipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), cipher.final()])
      } catch (cause) {
        throw new Error(doesNotFit(path), { cause })
      }
    },
    hash: (text, owner) => createHmac('sha256', hashing).update(`${owner} ${text}`).digest(),
    fingerprint: derived(key, 'fingerprint'),
  }
}
