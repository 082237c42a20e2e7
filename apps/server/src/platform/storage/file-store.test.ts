import { checkFileStore, checkPieceStore, openStoreParts } from '@floorcast/testing/file-store-cases.ts'
import { makeBucket, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { describe } from 'vitest'
import { openLocalFileStore } from './local-file-store.ts'
import { openS3FileStore } from './s3-file-store.ts'

const ownBucket = async () => {}

describe('a store in a folder', () => {
  const open = () => openStoreParts(({ folder }) => openLocalFileStore(folder))
  checkFileStore(open)
})

describe('a store by the protocol S3', () => {
  const open = async () => {
    const s3 = await startS3rver()
    const bucket = await makeBucket(s3, 'files')
    return openStoreParts(async ({ incoming }) =>
      openS3FileStore({ ...s3, bucket }, incoming, { requireOwn: ownBucket, signed: null }),
    )
  }
  checkFileStore(open)
  checkPieceStore(open)
})
