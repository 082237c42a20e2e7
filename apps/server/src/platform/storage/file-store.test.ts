import { checkFileStore, openStoreParts } from '@floorcast/testing/file-store-cases.ts'
import { describe } from 'vitest'
import { openLocalFileStore } from './local-file-store.ts'

describe('a store in a folder', () => {
  checkFileStore(() => openStoreParts(({ folder }) => openLocalFileStore(folder)))
})
