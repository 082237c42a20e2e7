import { csvSeparatorOf } from '@floorcast/contract/csv.ts'
import { exportCredits } from '@floorcast/contract/media-credit-calls.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import { downloadRead } from '../../platform/download.ts'
import { currentLanguage } from '../../platform/i18n.ts'
import type { MediaListQuery } from './media-data.ts'

/** Saves the credits of what a list shows as csv. @throws CallError */
export const downloadCredits = (contentType: MediaType, { search, used, isrc }: MediaListQuery) =>
  downloadRead(
    exportCredits,
    {
      params: { contentType },
      query: { search, used, isrc, separator: csvSeparatorOf(currentLanguage().code) },
    },
    `credits-${contentType}.csv`,
  )
