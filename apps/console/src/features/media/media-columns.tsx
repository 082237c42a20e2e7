import { type MediaRow, kindOfMedia, type MediaCard, type MediaType } from '@floorcast/contract/media.ts'
import { Text } from '@mantine/core'
import type { Format } from '../../platform/format.ts'
import { type Translate, useTranslate } from '../../platform/i18n.ts'
import type { ListFilter } from '../../ui/data-table/list-column.ts'
import type { ItemField } from '../../ui/detail/item-fields.tsx'
import { ListenButton } from '../../ui/listen-button.tsx'
import { creditItemFields } from './credit-fields.tsx'
import { MediaThumb } from './media-thumb.tsx'

/** Describes integrated loudness: '−14.2 LUFS', or why there is none. */
function describeLoudness(
  { t, format }: { t: Translate; format: Format },
  { loudness, loudnessState }: Pick<MediaRow, 'loudness' | 'loudnessState'>,
): string {
  if (loudness) return t('media:lufs', { value: format.number(loudness.integratedLufs, 1) })
  return loudnessState === 'pending' ? t('media:measuring') : t('media:notMeasured')
}

type MediaField = ItemField<MediaRow, MediaCard>

/** The picture of an item and the button that plays it in place, before its name. */
const MediaLead = ({ media }: { media: MediaRow }) => (
  <>
    <MediaThumb media={media} />
    <ListenButton uid={media.uid} name={media.name} isVideo={kindOfMedia(media.contentType) === 'video'} />
  </>
)

/** The fields of list and card; ids are what the server sorts by. */
export function mediaFields(t: Translate, format: Format, contentType: MediaType): MediaField[] {
  return [
    {
      id: 'name',
      header: t('name'),
      only: 'list',
      isSortable: true,
      lead: row => <MediaLead media={row} />,
      cell: row => row.name,
    },
    ...creditItemFields(t, contentType),
    {
      id: 'durationSeconds',
      header: t('media:duration'),
      isSortable: true,
      isNumber: true,
      cell: row => format.duration(row.durationSeconds),
    },
    {
      id: 'loudness',
      isMinor: true,
      header: t('media:loudness'),
      isNumber: true,
      cell: row => describeLoudness({ t, format }, row),
    },
    {
      id: 'sizeBytes',
      isMinor: true,
      header: t('media:size'),
      isSortable: true,
      isNumber: true,
      cell: row => format.size(row.sizeBytes),
    },
    {
      id: 'isUsed',
      header: t('media:use'),
      only: 'list',
      cell: row => <UseWord isUsed={row.isUsed} />,
    },
    ...technicalFields(t, format),
    {
      id: 'uploadedAt',
      header: t('media:uploaded'),
      isSortable: true,
      cell: row => format.dateTime(row.uploadedAt),
    },
    {
      id: 'fileVersion',
      header: t('media:version'),
      isNumber: true,
      isHiddenAtFirst: true,
      cell: row => format.number(row.fileVersion),
    },
    {
      id: 'originalName',
      header: t('media:originalName'),
      isHiddenAtFirst: true,
      cell: row => <bdi>{row.originalName}</bdi>,
    },
    {
      id: 'description',
      header: t('description'),
      isProse: true,
      isHiddenAtFirst: true,
      isShown: ({ description }) => description !== '',
      cell: row => row.description,
    },
  ]
}

/** The fields that the server found in the bytes. */
function technicalFields(t: Translate, format: Format): MediaField[] {
  const isVideo = ({ contentType }: MediaCard) => kindOfMedia(contentType) === 'video'
  return [
    {
      id: 'truePeak',
      header: t('media:truePeak'),
      only: 'card',
      cell: ({ loudness }) => loudness && t('media:dbtp', { value: format.number(loudness.truePeakDbtp, 1) }),
    },
    {
      id: 'picture',
      header: t('media:picture'),
      only: 'card',
      isShown: isVideo,
      cell: ({ width, height }) =>
        width !== null &&
        height !== null && (
          <bdi dir="ltr">
            {format.number(width)} × {format.number(height)}
          </bdi>
        ),
    },
    {
      id: 'sound',
      header: t('media:sound'),
      only: 'card',
      cell: ({ channels, sampleRate }) =>
        channels !== null &&
        sampleRate !== null &&
        t('media:soundForm', { count: channels, rate: format.number(sampleRate / 1000, 1) }),
    },
    {
      id: 'bitRate',
      header: t('media:bitRate'),
      only: 'card',
      cell: ({ bitRate }) => bitRate !== null && t('media:kbps', { value: format.number(bitRate / 1000) }),
    },
    {
      id: 'joins',
      header: t('media:joins'),
      only: 'card',
      isShown: media => !isVideo(media),
      cell: ({ isGapless }) => t(isGapless ? 'media:gapless' : 'media:notGapless'),
    },
  ]
}

function UseWord({ isUsed }: { isUsed: boolean }) {
  const { t } = useTranslate()
  if (isUsed) return t('states.media.used')
  return (
    <Text span inherit c="dimmed">
      {t('states.media.unused')}
    </Text>
  )
}

/** Used or unused, with or without an ISRC, as chips (docs/specification.md#4-states-and-transitions). */
export function useMediaFilters(): readonly ListFilter[] {
  const { t } = useTranslate()
  return [
    {
      name: 'used',
      label: t('media:use'),
      options: [
        { value: 'used', label: t('states.media.used') },
        { value: 'unused', label: t('states.media.unused') },
      ],
    },
    {
      name: 'isrc',
      label: t('media:credits.isrc'),
      options: [
        { value: 'without', label: t('media:credits.without') },
        { value: 'with', label: t('media:credits.with') },
      ],
    },
  ]
}
