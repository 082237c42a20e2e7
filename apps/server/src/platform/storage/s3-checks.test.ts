import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { makeBucket, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { expect, test } from 'vitest'
import { FileStoreAwayError } from './file-store.ts'
import { requireOwnBucket } from './s3-checks.ts'

const s3 = await startS3rver()
const bucket = await makeBucket(s3, 'floor-files')
const settings = { ...s3, bucket }

/** A store whose answers, all of them refusals, are of another time. */
async function storeAt(now: () => Date) {
  const server = createServer((request, response) => {
    request.resume()
    response.sendDate = false
    response.writeHead(403, { date: now().toUTCString(), 'content-type': 'application/xml' })
    response.end('<Error><Code>RequestTimeTooSkewed</Code><Message>Too late</Message></Error>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atTheEnd(async () => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the bucket of an installation is marked at its first start, and refused to any other', async () => {
  await requireOwnBucket(settings, 'one')
  await requireOwnBucket(settings, 'one')
  await expect(requireOwnBucket(settings, 'two')).rejects.toThrow(
    'S3_BUCKET floor-files has the files of another installation (one; this one is two)',
  )
})

// s3rver takes any secret and any region: swift-store.slow.ts has these.
test.each([
  [{ key: { id: 'nobody', secret: 'S3RVER' } }, 'S3_ACCESS_KEY_ID nobody: the store does not know this key'],
  [{ bucket: 'another' }, 'S3_BUCKET another: the store has no such bucket'],
])('a setting that the store refuses is named: %j', async (wrong, words) => {
  await expect(requireOwnBucket({ ...settings, ...wrong }, 'one')).rejects.toThrow(words)
})

test.each([
  [-3_600_000, 'The clock of this machine is 60 minutes ahead of that of the store'],
  [1_200_000, 'The clock of this machine is 20 minutes behind that of the store'],
])('a clock that differs from the store is told: %i ms', async (offsetMs, words) => {
  const endpoint = await storeAt(() => new Date(Date.now() + offsetMs))
  await expect(requireOwnBucket({ ...settings, endpoint }, 'one')).rejects.toThrow(words)
})

test('a store that does not answer is away', async () => {
  const nobody = { ...settings, endpoint: 'http://127.0.0.1:1' }
  await expect(requireOwnBucket(nobody, 'one')).rejects.toThrow(FileStoreAwayError)
})
