import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { PROOF_PART_BYTES } from '@floorcast/contract/proof-file.ts'
import { afterAll, expect, it } from 'vitest'
import { ProofWriter } from './proof-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'floorcast-proof-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

it.each([
  ['less than a part', PROOF_PART_BYTES - 7],
  ['exactly two parts', 2 * PROOF_PART_BYTES],
  ['a byte more than two parts', 2 * PROOF_PART_BYTES + 1],
])('hashes each part of a csv of %s, whatever the pieces that it comes in', async (_, bytes) => {
  const csv = 'x'.repeat(bytes)
  const path = join(folder, `${bytes}.zip`)
  const handle = await open(path, 'w')
  const writer = new ProofWriter(handle)
  const pieces = [0, 1000, PROOF_PART_BYTES - 1, PROOF_PART_BYTES + 5000, bytes].filter(at => at <= bytes)
  for (const [index, from] of pieces.slice(0, -1).entries())
    await writer.write(csv.slice(from, pieces[index + 1]))
  const file = writer.endCsv()
  const parts = Array.from({ length: Math.ceil(bytes / PROOF_PART_BYTES) }, (__, part) =>
    sha256(csv.slice(part * PROOF_PART_BYTES, (part + 1) * PROOF_PART_BYTES)),
  )
  expect(file).toMatchObject({ bytes, sha256: sha256(csv), crc32: crc32(csv), parts })
  expect(await writer.end(Buffer.from('{}'), Buffer.alloc(64))).toBe((await handle.stat()).size)
  await handle.close()
  expect(readFileSync(path).subarray(0, 2).toString()).toBe('PK')
})
