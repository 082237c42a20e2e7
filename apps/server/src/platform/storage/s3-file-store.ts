import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import {
  type ByteRange,
  FileMissingError,
  type FileKey,
  type FileStore,
  FileStoreAwayError,
  isClient,
  keyOfPlace,
  type PieceKey,
  type PieceStore,
  placeOf,
  type SignedAddresses,
  type StoredFile,
} from './file-store.ts'
import type { IncomingFiles, ReceivedFile } from './incoming-files.ts'
import { isAway, isMissingObject, isRefused, openS3, type S3Settings, shortCall } from './s3-client.ts'

/** A larger file goes in parts of this size, as many as two at a time, which are in memory. 10,000 parts are 84 GB. */
const PART_BYTES = 8 * 1024 * 1024
const PARTS_AT_ONCE = 2

export const nameOf = (key: FileKey) => placeOf(key).join('/')

/** @throws FileStoreAwayError instead of what says that the store is away; FileMissingError for a file that is not there */
async function ask<T>(key: FileKey | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (key !== null && isMissingObject(error)) throw new FileMissingError(key)
    // A key that was changed under a running server: what fails now may succeed later, and devices ask again.
    throw isAway(error) || isRefused(error) ? new FileStoreAwayError(error) : error
  }
}

interface Bucket {
  s3: S3Client
  bucket: string
}

async function upload({ s3, bucket }: Bucket, name: string, file: ReceivedFile): Promise<void> {
  const body = createReadStream(file.path)
  try {
    const params = { Bucket: bucket, Key: name, Body: body, ContentType: 'application/octet-stream' }
    await new Upload({ client: s3, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE }).done()
  } finally {
    body.destroy()
  }
}

async function openObject({ s3, bucket }: Bucket, name: string, range?: ByteRange): Promise<Readable> {
  const { Body: body } = await s3.send(
    new GetObjectCommand({
      Bucket: bucket,
      Key: name,
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    }),
  )
  if (body === undefined) throw new Error(`The store has sent no bytes of ${name}`)
  return body as Readable
}

async function* listFiles({ s3, bucket }: Bucket): AsyncGenerator<StoredFile> {
  for await (const page of paginateListObjectsV2({ client: s3 }, { Bucket: bucket }))
    for (const { Key: name = '', Size: sizeBytes, LastModified: storedAt } of page.Contents ?? []) {
      const key = keyOfPlace(name.split('/'))
      if (key && sizeBytes !== undefined && storedAt !== undefined) yield { key, sizeBytes, storedAt }
    }
}

/** Beside the folders of clients. */
const PIECES = 'uploads'

function nameOfPiece({ clientUid, uploadUid, uid }: PieceKey): string {
  const parts = [clientUid, uploadUid, uid]
  if (!parts.every(isClient)) throw new Error('A piece is stored under three uids only')
  return [PIECES, ...parts].join('/')
}

async function* listPieces({ s3, bucket }: Bucket): AsyncGenerator<{ piece: PieceKey; storedAt: Date }> {
  for await (const page of paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: `${PIECES}/` }))
    for (const { Key: name = '', LastModified: storedAt } of page.Contents ?? []) {
      const [, clientUid = '', uploadUid = '', uid = ''] = name.split('/')
      const isPiece = [clientUid, uploadUid, uid].every(isClient)
      if (isPiece && storedAt !== undefined) yield { piece: { clientUid, uploadUid, uid }, storedAt }
    }
}

function openPieces(place: Bucket, requireOwn: () => Promise<void>): PieceStore {
  const { s3, bucket } = place
  const objectOf = (piece: PieceKey) => ({ Bucket: bucket, Key: nameOfPiece(piece) })
  return {
    put: (piece, bytes) =>
      ask(null, async () => {
        await requireOwn()
        await s3.send(new PutObjectCommand({ ...objectOf(piece), Body: bytes }))
      }),
    open: piece => ask(null, async () => openObject(place, nameOfPiece(piece))),
    delete: piece => ask(null, () => deleteObject(place, nameOfPiece(piece))),
    list: () => listPieces(place),
  }
}

/** Does nothing if it is gone. */
async function deleteObject({ s3, bucket }: Bucket, name: string): Promise<void> {
  try {
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: name }), shortCall())
  } catch (error) {
    if (!isMissingObject(error)) throw error
  }
}

/**
 * Opens the store of a bucket. It uses PUT, GET with a range, HEAD, DELETE, lists, and parts of large files, which all stores have.
 * `requireOwn` resolves when the bucket is known to be this installation's: before that, nothing is written.
 */
export function openS3FileStore(
  settings: S3Settings,
  incoming: IncomingFiles,
  { requireOwn, signed }: { requireOwn: () => Promise<void>; signed: SignedAddresses | null },
): FileStore {
  const place: Bucket = { s3: openS3(settings), bucket: settings.bucket }
  const { s3, bucket } = place
  const objectOf = (key: FileKey) => ({ Bucket: bucket, Key: nameOf(key) })
  const store: FileStore = {
    put: (clientUid, file) =>
      ask(null, async () => {
        await requireOwn()
        await upload(place, nameOf({ clientUid, sha256: file.sha256 }), file)
      }),
    openRange: (key, range) => ask(key, async () => openObject(place, nameOf(key), range)),
    size: key =>
      ask(null, async () => {
        try {
          return (await s3.send(new HeadObjectCommand(objectOf(key)), shortCall())).ContentLength ?? null
        } catch (error) {
          if (isMissingObject(error)) return null
          throw error
        }
      }),
    withLocalPath: async (key, read) => {
      const received = await incoming.receive(await store.openRange(key), () => undefined)
      try {
        return await read(received.path)
      } finally {
        await incoming.discard(received)
      }
    },
    delete: key =>
      ask(null, async () => {
        await requireOwn()
        await deleteObject(place, nameOf(key))
      }),
    list: () => listFiles(place),
    pieces: openPieces(place, requireOwn),
    signed,
  }
  return store
}
