import { kindOfMedia, type MediaCard } from '@floorcast/contract/media.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Text } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Field, Fields } from '../../ui/detail/fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import { describeLoudness } from './media-loudness.ts'

/** The fields of a media item and its file. */
export function MediaFields({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Panel>
      {media.description !== '' && <Text mb="md">{media.description}</Text>}
      <Fields>
        <Field label={t('media:duration')}>{format.duration(media.durationSeconds)}</Field>
        <Field label={t('media:size')}>{format.size(media.sizeBytes)}</Field>
        <Field label={t('media:loudness')}>{describeLoudness({ t, format }, media)}</Field>
        <Field label={t('media:truePeak')}>
          {media.loudness && t('media:dbtp', { value: format.number(media.loudness.truePeakDbtp, 1) })}
        </Field>
        <Technical media={media} />
        <Field label={t('media:uploaded')}>{format.dateTime(media.uploadedAt)}</Field>
        <Field label={t('media:version')}>{format.number(media.version)}</Field>
        <Field label={t('media:originalName')}>
          <bdi>{media.originalName}</bdi>
        </Field>
      </Fields>
      <Text c="dimmed" size="xs" mt="md" mb={4}>
        {t('media:hash')}
      </Text>
      <CopyField label={t('media:hash')} text={media.hash} />
    </Panel>
  )
}

function Technical({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  const format = useFormat()
  const isVideo = kindOfMedia(media.contentType) === 'video'
  const { width, height, bitRate, sampleRate, channels } = media
  return (
    <>
      {isVideo && (
        <Field label={t('media:picture')}>
          {width !== null && height !== null && (
            <bdi dir="ltr">
              {format.number(width)} × {format.number(height)}
            </bdi>
          )}
        </Field>
      )}
      <Field label={t('media:sound')}>
        {channels !== null &&
          sampleRate !== null &&
          t('media:soundForm', { count: channels, rate: format.number(sampleRate / 1000, 1) })}
      </Field>
      <Field label={t('media:bitRate')}>
        {bitRate !== null && t('media:kbps', { value: format.number(bitRate / 1000) })}
      </Field>
      {!isVideo && (
        <Field label={t('media:joins')}>{media.isGapless ? t('media:gapless') : t('media:notGapless')}</Field>
      )}
    </>
  )
}
