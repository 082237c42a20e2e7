import { checkFileStore, checkPieceStore, openStoreParts } from '@floorcast/testing/file-store-cases.ts'
import { makeBucket, startSwift } from '@floorcast/testing/s3-stores.ts'
import { describe, expect, it } from 'vitest'
import { requireOwnBucket } from './s3-checks.ts'
import { openS3FileStore } from './s3-file-store.ts'

const swift = await startSwift()
const settings = { ...swift, bucket: await makeBucket(swift, 'files') }

describe('a store by the s3api of Swift', () => {
  const open = () =>
    openStoreParts(async ({ incoming }) => openS3FileStore(settings, incoming, async () => {}))
  checkFileStore(open)
  checkPieceStore(open)

  it('has the bucket of one installation', async () => {
    await requireOwnBucket(settings, 'one')
    await requireOwnBucket(settings, 'one')
    await expect(requireOwnBucket(settings, 'two')).rejects.toThrow(
      'another installation (one; this one is two)',
    )
  })

  it.each([
    [{ key: { id: 'shop:nobody', secret: 'testing' } }, /S3_(ACCESS_KEY_ID|SECRET_ACCESS_KEY)/],
    [{ key: { id: swift.key.id, secret: 'hush' } }, /S3_SECRET_ACCESS_KEY is not the secret/],
    [{ bucket: 'another' }, /S3_BUCKET another: the store has no such bucket/],
    [{ region: 'elsewhere-1' }, /S3_REGION elsewhere-1 is not that of the bucket/],
  ])('names the setting that it refuses: %j', async (wrong, words) => {
    await expect(requireOwnBucket({ ...settings, ...wrong }, 'one')).rejects.toThrow(words)
  })
})
