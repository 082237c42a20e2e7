import { zstdDecompressSync } from 'node:zlib'
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  type RowGroup,
} from 'hyparquet'
import { CopyBuffer, EPOCH_DAYS, EPOCH_MICROSECONDS } from './binary-rows.ts'
import { PLAY_COLUMNS, type PlayColumn, SCHEMA_VERSION } from './play-columns.ts'

/** Reads plays from a Parquet file of the archive, as the bytes that PostgreSQL takes them in. */

/** Which columns of which plays of a file are read. */
export interface PlayChoice {
  columns: readonly string[]
  mediaUid?: string | undefined
  deviceUid?: string | undefined
}

/** The file is of a newer version, or no file of the archive. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

/** Above this a part of the answer is handed on. */
const PART_BYTES = 262_144
/** More than a row group of the longest texts has in a column. */
const MAX_PAGE_BYTES = 256 * 1024 * 1024

const uuidBytes = (uuid: string | undefined) =>
  uuid === undefined ? null : Buffer.from(uuid.replaceAll('-', ''), 'hex')

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0

/** Bytes stay bytes, and numbers what they are: each value becomes a field of COPY. */
const AS_STORED = {
  uuidFromBytes: (bytes: Uint8Array | undefined) => bytes,
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes,
  timestampFromMicroseconds: (micros: bigint) => micros,
  dateFromDays: (days: number) => days,
}

type Columns = ReadonlyMap<string, ArrayLike<unknown>>

const join = (a: ArrayLike<unknown> | undefined, b: ArrayLike<unknown>) =>
  a === undefined ? b : [...Array.from(a), ...Array.from(b)]

async function readColumns(
  file: AsyncBuffer,
  { metadata, rowStart, rowEnd }: { metadata: FileMetaData; rowStart: number; rowEnd: number },
  columns: string[],
): Promise<Columns> {
  const read = new Map<string, ArrayLike<unknown>>()
  await parquetRead({
    file,
    metadata,
    columns,
    rowStart,
    rowEnd,
    compressors: {
      ZSTD: (input: Uint8Array, length: number) => {
        if (length > MAX_PAGE_BYTES) throw new UnreadableFileError('a page is too large')
        return zstdDecompressSync(input, { maxOutputLength: Math.max(1, length) })
      },
    },
    parsers: AS_STORED,
    onChunk: ({ columnName, columnData }) =>
      void read.set(columnName, join(read.get(columnName), columnData as ArrayLike<unknown>)),
  })
  return read
}

function writeField(into: CopyBuffer, value: unknown, kind: PlayColumn['kind']): void {
  if (value === null || value === undefined) return into.integer(-1)
  switch (kind) {
    case 'uuid':
    case 'text': {
      const bytes = value as Uint8Array
      into.integer(bytes.length)
      return into.bytes(bytes)
    }
    case 'day':
      into.integer(4)
      return into.integer((value as number) - EPOCH_DAYS)
    case 'instant':
      into.integer(8)
      return into.long((value as bigint) - EPOCH_MICROSECONDS)
    case 'number':
      into.integer(8)
      return into.double(value as number)
    case 'integer':
      into.integer(8)
      return into.long(value as bigint)
    case 'flag':
      into.integer(1)
      return into.byte(value === true ? 1 : 0)
  }
}

/** Whether a row group may have plays of the device: they lie by device. */
function mayHave({ columns }: RowGroup, device: Buffer | null): boolean {
  const of = columns.find(column => column.meta_data?.path_in_schema[0] === 'device_uid')
  const { min_value: min, max_value: max } = of?.meta_data?.statistics ?? {}
  if (device === null || !(min instanceof Uint8Array) || !(max instanceof Uint8Array)) return true
  return Buffer.compare(min, device) <= 0 && Buffer.compare(device, max) <= 0
}

/** The places of the chosen rows of a group; null: all. */
function chosenRows(
  columns: Columns,
  rows: number,
  sought: readonly (readonly [string, Buffer | null])[],
): number[] | null {
  const wanted = sought.flatMap(([name, bytes]) =>
    bytes === null ? [] : [{ values: columns.get(name), bytes }],
  )
  if (wanted.length === 0) return null
  const places: number[] = []
  for (let row = 0; row < rows; row += 1)
    if (wanted.every(({ values, bytes }) => isSame(values?.[row] as Uint8Array, bytes))) places.push(row)
  return places
}

/** @throws UnreadableFileError for a file of a newer version, or with other columns */
function checkSchema({ key_value_metadata: facts = [], schema }: FileMetaData): void {
  const version = Number(facts.find(({ key }) => key === 'floorcast.schema')?.value)
  if (!(version >= 1)) throw new UnreadableFileError('it is no file of the archive')
  if (version > SCHEMA_VERSION)
    throw new UnreadableFileError(
      `it has schema version ${version}, and this server reads up to ${SCHEMA_VERSION}`,
    )
  const names = new Set(schema.map(({ name }) => name))
  const missing = PLAY_COLUMNS.find(({ name }) => !names.has(name))
  if (missing) throw new UnreadableFileError(`it has no column ${missing.name}`)
}

/**
 * Emits the chosen plays of a file in COPY's binary form, the columns in the order of PLAY_COLUMNS, without its header and trailer. @returns their number
 * @throws UnreadableFileError
 */
export async function readParquet(
  bytes: ArrayBuffer,
  choice: PlayChoice,
  emit: (bytes: Uint8Array) => Promise<void>,
): Promise<number> {
  const file: AsyncBuffer = { byteLength: bytes.byteLength, slice: (start, end) => bytes.slice(start, end) }
  const metadata = await parquetMetadataAsync(file, { parsers: AS_STORED })
  checkSchema(metadata)
  const [device, media] = [uuidBytes(choice.deviceUid), uuidBytes(choice.mediaUid)]
  const sought = [
    ['device_uid', device],
    ['media_uid', media],
  ] as const
  const soughtNames = sought.flatMap(([name, value]) => (value === null ? [] : [name]))
  const chosen = PLAY_COLUMNS.filter(({ name }) => choice.columns.includes(name))
  const otherNames = chosen.map(({ name }) => name).filter(name => !soughtNames.includes(name as never))
  const into = new CopyBuffer()
  let total = 0
  let rowEnd = 0
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    const of = { metadata, rowStart: rowEnd, rowEnd: rowEnd + rows }
    rowEnd += rows
    if (!mayHave(group, device)) continue
    const found = soughtNames.length > 0 ? await readColumns(file, of, [...soughtNames]) : new Map()
    const places = chosenRows(found, rows, sought)
    if (places?.length === 0) continue
    const columns: Columns = new Map([...found, ...(await readColumns(file, of, otherNames))])
    const fields = chosen.map(({ name, kind }) => ({ kind, values: columns.get(name) }))
    const count = places?.length ?? rows
    for (let at = 0; at < count; at += 1) {
      const row = places?.[at] ?? at
      into.row(fields.length)
      for (const { kind, values } of fields) writeField(into, values?.[row], kind)
      if (into.length > PART_BYTES) await emit(into.take())
    }
    total += count
  }
  if (into.length > 0) await emit(into.take())
  return total
}
