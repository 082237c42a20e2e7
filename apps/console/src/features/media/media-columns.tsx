import type { MediaRow, MediaType } from '@floorcast/contract/media.ts'
import { Text } from '@mantine/core'
import { IconAd2, IconMovie, IconMusic, IconSpeakerphone, type Icon } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import type { ListColumn, ListFilter } from '../../ui/data-table/list-column.ts'
import { describeLoudness } from './media-loudness.ts'
import styles from './media.module.css'

const shapes: Record<MediaType, Icon> = {
  videos: IconMovie,
  videosAds: IconAd2,
  ads: IconSpeakerphone,
  melodies: IconMusic,
}

/** A media item's name with the shape of its kind. */
function MediaName({ media }: { media: Pick<MediaRow, 'name' | 'contentType'> }) {
  const Glyph = shapes[media.contentType]
  return (
    <span className={styles.named}>
      <Glyph size={20} stroke={1.5} aria-hidden className={styles.glyph} />
      <bdi className={styles.nameText}>{media.name}</bdi>
    </span>
  )
}

/** The columns of a media list. Ids are the names that the server sorts by. */
export function useMediaColumns(): readonly ListColumn<MediaRow>[] {
  const { t } = useTranslate()
  const format = useFormat()
  return useMemo(
    () => [
      { id: 'name', header: t('name'), isSortable: true, cell: row => <MediaName media={row} /> },
      {
        id: 'durationSeconds',
        header: t('media:duration'),
        isSortable: true,
        isNumber: true,
        cell: row => format.duration(row.durationSeconds),
      },
      {
        id: 'loudness',
        header: t('media:loudness'),
        isNumber: true,
        cell: row => describeLoudness({ t, format }, row),
      },
      {
        id: 'sizeBytes',
        header: t('media:size'),
        isSortable: true,
        isNumber: true,
        cell: row => format.size(row.sizeBytes),
      },
      { id: 'isUsed', header: t('media:use'), cell: row => <UseWord isUsed={row.isUsed} /> },
      {
        id: 'uploadedAt',
        header: t('media:uploaded'),
        isSortable: true,
        cell: row => format.dateTime(row.uploadedAt),
      },
      {
        id: 'version',
        header: t('media:version'),
        isNumber: true,
        isHiddenAtFirst: true,
        cell: row => format.number(row.version),
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
        cell: row => row.description,
      },
    ],
    [t, format],
  )
}

function UseWord({ isUsed }: { isUsed: boolean }) {
  const { t } = useTranslate()
  if (isUsed) return t('states.used')
  return (
    <Text span inherit c="dimmed">
      {t('states.unused')}
    </Text>
  )
}

/** Used or unused, as a chip (docs/specification.md#4-states-and-transitions). */
export function useMediaFilters(): readonly ListFilter[] {
  const { t } = useTranslate()
  return [
    {
      name: 'used',
      label: t('media:use'),
      options: [
        { value: 'used', label: t('states.used') },
        { value: 'unused', label: t('states.unused') },
      ],
    },
  ]
}
