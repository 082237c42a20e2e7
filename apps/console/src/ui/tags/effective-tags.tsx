import { readEffectiveTags, type EffectiveTags } from '@floorcast/contract/tag-calls.ts'
import { Text } from '@mantine/core'
import { callQuery } from '../../platform/call-query.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { PlainTable } from '../data-table/plain-table.tsx'
import { nameTagKey } from './tag-key.ts'

export const effectiveTagsQuery = (deviceUid: string) =>
  callQuery(queryKeys.tags.effective(deviceUid), readEffectiveTags, { params: { uid: deviceUid } })

/** The tags that apply to a device, and where each comes from. */
export function EffectiveTagTable({ tags }: Pick<EffectiveTags, 'tags'>) {
  const { t } = useTranslate()
  if (tags.length === 0) return <Text c="dimmed">{t('tagKeys:none')}</Text>
  return (
    <PlainTable
      label={t('tagKeys:title')}
      columns={[
        { id: 'key', header: t('tagKeys:key'), cell: ({ key }) => <bdi>{nameTagKey(t, key)}</bdi> },
        { id: 'value', header: t('tagKeys:value'), cell: ({ value }) => <bdi>{value}</bdi> },
        { id: 'level', header: t('tagKeys:source'), cell: ({ level }) => t(`tagKeys:from.${level}`) },
      ]}
      rows={tags}
      rowKey={({ key }) => key}
    />
  )
}
