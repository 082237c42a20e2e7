import { constants, zstdCompressSync } from 'node:zlib'
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type CopiedRow, copiedRowsOf, EPOCH_DAYS, EPOCH_MICROSECONDS } from './binary-rows.ts'
import { PLAY_COLUMNS, type PlayColumn, SCHEMA_VERSION } from './play-columns.ts'

/*
 * Writes plays as a Parquet file while they come. A row group is small enough that a reader of one device decodes few others, and
 * large enough that names and uids repeat in it.
 */

export const ROWS_A_GROUP = 32_768
const LEVEL = 3

/** What a file says of itself. */
export interface FileFacts {
  clientId: string
  day: string
}

export interface WrittenFile {
  rows: number
  firstDeviceUid: string
  lastDeviceUid: string
}

const TYPES: Readonly<Record<PlayColumn['kind'], Omit<SchemaElement, 'name'>>> = {
  uuid: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
  day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  flag: { type: 'BOOLEAN' },
}

const SCHEMA: SchemaElement[] = [
  { name: 'plays', num_children: PLAY_COLUMNS.length },
  ...PLAY_COLUMNS.map(({ name, kind, isNullable }) => ({
    name,
    repetition_type: isNullable ? ('OPTIONAL' as const) : ('REQUIRED' as const),
    ...TYPES[kind],
  })),
]

/** A value of COPY as the writer takes it. */
function valueOf({ bytes, view, at, lengths }: CopiedRow, column: number, kind: PlayColumn['kind']): unknown {
  const length = lengths[column] ?? -1
  const start = at[column] ?? 0
  if (length < 0) return null
  switch (kind) {
    case 'uuid':
      return bytes.slice(start, start + length)
    case 'day':
      return view.getInt32(start) + EPOCH_DAYS
    case 'instant':
      return view.getBigInt64(start) + EPOCH_MICROSECONDS
    case 'number':
      return view.getFloat64(start)
    case 'integer':
      return view.getBigInt64(start)
    case 'flag':
      return view.getUint8(start) === 1
    case 'text':
      return bytes.toString('utf8', start, start + length)
  }
}

/** Each play has another one: to look for repetitions would take most of the time. */
const IS_UNIQUE: ReadonlySet<string> = new Set([
  'event_uid',
  'sequence',
  'received_at',
  'started_at',
  'ended_at',
])

class EmittingWriter extends ByteWriter {
  /** Takes what was written since the last time. */
  take(): Uint8Array {
    const taken = this.getBytes().slice()
    this.index = 0
    return taken
  }
}

const uuidOf = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/**
 * Writes the rows of `chunks`, which are COPY's binary form of PLAY_COLUMNS in the order of their devices, and emits the bytes of the
 * file. @returns null if there is no row
 */
export async function writeParquet(
  chunks: AsyncIterable<Uint8Array>,
  { clientId, day }: FileFacts,
  emit: (bytes: Uint8Array) => Promise<void>,
): Promise<WrittenFile | null> {
  const writer = new EmittingWriter()
  const file = new ParquetWriter({
    writer,
    schema: SCHEMA,
    codec: 'ZSTD',
    compressors: {
      ZSTD: input => zstdCompressSync(input, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }),
    },
    createdBy: 'floorcast',
    kvMetadata: [
      { key: 'floorcast.schema', value: String(SCHEMA_VERSION) },
      { key: 'floorcast.client', value: clientId },
      { key: 'floorcast.day', value: day },
    ],
  })
  let data: unknown[][] = PLAY_COLUMNS.map(() => [])
  const devices = { first: '', last: '' }
  let rows = 0
  const writeGroup = async () => {
    const [, deviceUids = []] = data
    devices.first ||= uuidOf(deviceUids[0] as Uint8Array)
    devices.last = uuidOf(deviceUids.at(-1) as Uint8Array)
    const columnData = PLAY_COLUMNS.map(({ name }, column) => ({
      name,
      data: data[column] ?? [],
      ...(IS_UNIQUE.has(name) && { encoding: 'PLAIN' as const }),
    }))
    await file.write({ columnData, rowGroupSize: ROWS_A_GROUP })
    data = PLAY_COLUMNS.map(() => [])
    await emit(writer.take())
  }
  for await (const row of copiedRowsOf(chunks, PLAY_COLUMNS.length)) {
    for (const [column, { kind }] of PLAY_COLUMNS.entries()) data[column]?.push(valueOf(row, column, kind))
    rows += 1
    if (rows % ROWS_A_GROUP === 0) await writeGroup()
  }
  if (rows === 0) return null
  if (data[0]?.length) await writeGroup()
  await file.finish()
  await emit(writer.take())
  return { rows, firstDeviceUid: devices.first, lastDeviceUid: devices.last }
}
