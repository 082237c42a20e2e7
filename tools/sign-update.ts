import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type AddressStatement,
  addressTextOf,
  joinSignedAddress,
  parseAddressStatement,
  whyNoServerAddress,
} from '../packages/contract/src/server-address.ts'
import {
  joinSignature,
  parseStatement,
  signedTextOf,
  statementTextOf,
  type UpdateStatement,
} from '../packages/contract/src/update-signing.ts'

const HELP = `npm run sign-update -- --make-key [--key KEYFILE]
npm run sign-update -- FILE --version VERSION [--machines LIST] [--downgrade] [--counter N] [--key KEYFILE]
npm run sign-update -- --address ADDRESS --client UID [--counter N] [--key KEYFILE]

  --make-key   makes an Ed25519 key pair: the private key in KEYFILE, readable by you alone, and the public key on the
               screen, for POST /api/v2/update/key. A KEYFILE that is there is never written over
  FILE         the update file to sign; its signature goes to FILE.sig, to be given with the upload
  --version    the version of the package that the file is for
  --machines   the machines that may install it, such as linux-x64,linux-arm64; all unless told
  --downgrade  devices with a higher version may go to it, when its package is forced
  --address    signs the address to which devices go when that of their server does not answer, such as https://new.example, and
               prints the line for npm run admin -- publish-address
  --client     the uid of the client to whom these devices belong: npm run admin -- addresses
  --counter    a number above those of all files, or addresses, that were signed before; the seconds since 1970 unless told. A
               device installs nothing that was signed before the version that it has, and keeps no older address
  --key        the private key's file; update-key.pem unless told

Anybody who has KEYFILE can sign any file and address as yours: keep it off the server and out of the repository.
`

/** Paths are of where the command was typed; npm itself runs in the project's folder. */
const pathOf = (name: string) => resolve(process.env['INIT_CWD'] ?? process.cwd(), name)

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

function publicKeyOf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}

async function makeKey(keyFile: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
  await writeFile(keyFile, pem, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    throw hasCode(error, 'EEXIST')
      ? new Error(`${keyFile} is there already and is not written over. Name another with --key.`)
      : error
  })
  return `Private key: ${keyFile}\nPublic key:  ${publicKeyOf(privateKey)}`
}

async function readKey(keyFile: string): Promise<KeyObject> {
  const pem = await readFile(keyFile).catch((error: unknown) => {
    throw hasCode(error, 'ENOENT')
      ? new Error(`There is no key ${keyFile}. Make one with --make-key, or name yours with --key.`)
      : error
  })
  const wrong = `${keyFile} holds no private Ed25519 key.`
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (cause) {
    throw new Error(wrong, { cause })
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(wrong)
  return key
}

async function measureFile(file: string): Promise<Pick<UpdateStatement, 'name' | 'sizeBytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer)
    sizeBytes += (chunk as Buffer).length
  }
  if (sizeBytes === 0) throw new Error(`${file} is empty.`)
  return { name: basename(file).normalize('NFC'), sizeBytes, sha256: hash.digest('hex') }
}

type Claims = Pick<UpdateStatement, 'version' | 'machines' | 'counter' | 'isDowngrade'>

async function signFile(file: string, keyFile: string, claims: Claims): Promise<string> {
  const key = await readKey(keyFile)
  const facts = await measureFile(file)
  const text = statementTextOf({ ...facts, ...claims })
  if (!parseStatement(text))
    throw new Error(`The version, a machine, the counter or the name of the file is not valid:\n${text}`)
  const signText = (signed: string) => sign(null, Buffer.from(signed), key).toString('base64')
  const statement = { text, signature: signText(text) }
  const line = joinSignature({ signature: signText(signedTextOf(facts.sha256)), statement })
  await writeFile(`${file}.sig`, `${line}\n`)
  return `${text}\nPublic key:  ${publicKeyOf(key)}\nWritten to   ${file}.sig`
}

async function signAddress(keyFile: string, statement: AddressStatement): Promise<string> {
  const key = await readKey(keyFile)
  const why = whyNoServerAddress(statement.address)
  if (why !== null) throw new Error(`${statement.address} cannot be signed: ${why}.`)
  const text = addressTextOf(statement)
  if (!parseAddressStatement(text)) throw new Error(`The client or the counter is not valid:\n${text}`)
  const line = joinSignedAddress({ text, signature: sign(null, Buffer.from(text), key).toString('base64') })
  return `${text}\nPublic key:  ${publicKeyOf(key)}\nFor the server:\n${line}`
}

async function run(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'make-key': { type: 'boolean' },
      key: { type: 'string', default: 'update-key.pem' },
      version: { type: 'string' },
      machines: { type: 'string' },
      counter: { type: 'string' },
      address: { type: 'string' },
      client: { type: 'string' },
      downgrade: { type: 'boolean', default: false },
    },
  })
  const keyFile = pathOf(values.key)
  const [file, ...others] = positionals
  if (others.length > 0) throw new Error('One file at a time.')
  if (values['make-key']) {
    if (file !== undefined) throw new Error('--make-key signs nothing: call it without FILE.')
    return makeKey(keyFile)
  }
  const counter = Number(values.counter ?? Math.floor(Date.now() / 1000))
  const { address, client } = values
  if (address !== undefined || client !== undefined) {
    if (address === undefined || client === undefined) throw new Error('--address and --client go together.')
    if (file !== undefined) throw new Error('A file or an address, not both.')
    return signAddress(keyFile, {
      address: address.replace(/\/$/, ''),
      client: client.toLowerCase(),
      counter,
    })
  }
  if (file === undefined) throw new Error('FILE is missing.')
  if (values.version === undefined) throw new Error('--version is missing: the version of the package.')
  return signFile(pathOf(file), keyFile, {
    version: values.version,
    machines: values.machines?.split(',') ?? [],
    counter,
    isDowngrade: values.downgrade,
  })
}

try {
  process.stdout.write(`${await run()}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
  process.exitCode = 1
}
