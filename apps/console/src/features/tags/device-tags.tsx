import type { TagLevel } from '@floorcast/contract/tag-calls.ts'
import { Group, Radio, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { useMayChange } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { effectiveTagsQuery, EffectiveTagTable } from '../../ui/tags/effective-tags.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useSetTagPolicy } from './tags-data.ts'

const policies = ['device', 'group', 'client'] as const

/** The tags that apply to a device, and whose tags win where several have the same key. */
export function DeviceTags({ uid }: { uid: string }) {
  const { t } = useTranslate()
  const result = useQuery(effectiveTagsQuery(uid))
  return (
    <Panel title={t('tagKeys:title')}>
      {result.isPending && <Skeleton height={60} />}
      {result.isError && !result.data && (
        <ErrorPanel error={result.error} retry={() => void result.refetch()} />
      )}
      {result.data && (
        <Stack gap="md">
          <PolicyChoice uid={uid} policy={result.data.policy} />
          <EffectiveTagTable tags={result.data.tags} />
        </Stack>
      )}
    </Panel>
  )
}

function PolicyChoice({ uid, policy }: { uid: string; policy: TagLevel }) {
  const { t } = useTranslate()
  const mayChange = useMayChange()
  const { mutate, isPending } = useSetTagPolicy()
  // Set in the event itself: a mutation tells that it is pending only after React has put the former choice back.
  const [chosen, setChosen] = useState<TagLevel | null>(null)
  const set = (next: string) => {
    const level = policies.find(known => known === next)
    if (!level || level === policy) return
    setChosen(level)
    mutate(
      { uid, resultpolicy: level },
      {
        onSuccess: () => void toast('success', t('saved')),
        onError: error => toastFailure(error),
        onSettled: () => setChosen(null),
      },
    )
  }
  return (
    <Radio.Group
      label={t('tags:policy.label')}
      description={t('tags:policy.text')}
      value={chosen ?? policy}
      onChange={set}
    >
      <Group gap="md" mt="xs">
        {policies.map(level => (
          <Radio
            key={level}
            value={level}
            label={t(`tags:policy.${level}`)}
            disabled={!mayChange || isPending}
          />
        ))}
      </Group>
    </Radio.Group>
  )
}
