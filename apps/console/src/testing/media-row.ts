import type { MediaRow } from '@floorcast/contract/media.ts'

/** A media item of a list: a melody that no playlist uses, but for what a test says of it. */
export const mediaRow = (
  media: Pick<MediaRow, 'uid' | 'name' | 'durationSeconds'> & Partial<MediaRow>,
): MediaRow => ({
  contentType: 'melodies',
  description: '',
  originalName: `${media.name}.mp3`,
  sizeBytes: 160_000,
  uploadedAt: '2026-06-10T22:30:00.000Z',
  fileVersion: 1,
  hash: 'a1b2c3d4'.repeat(8),
  loudness: null,
  loudnessState: 'pending',
  hasPreview: false,
  isUsed: false,
  artist: '',
  title: '',
  isrc: '',
  composer: '',
  publisher: '',
  ...media,
})
