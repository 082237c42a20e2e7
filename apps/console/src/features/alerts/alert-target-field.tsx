import type { Reference } from '@floorcast/contract/fields.ts'
import { Radio, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { SearchSelect } from '../../ui/search-select.tsx'
import { focusFirst } from './focus-first.ts'
import { alertQueries, findDevices, findGroups } from './alerts-data.ts'

interface AlertTargetFieldProps {
  value: string | null
  onChange: (uid: string | null) => void
  error: string | false
}

const kinds = ['all', 'group', 'device'] as const
const finds = {
  group: { find: findGroups, findKey: (search: string) => queryKeys.groups.found('all', search) },
  device: { find: findDevices, findKey: queryKeys.devices.found },
}

/** All shops, one group or one device. */
export function AlertTargetField({ value, onChange, error }: AlertTargetFieldProps) {
  const { t } = useTranslate()
  const [kind, setKind] = useState<(typeof kinds)[number] | null>(value === 'all' ? 'all' : null)
  const { data: reach } = useQuery({ ...alertQueries.reach(value ?? ''), enabled: value !== null })
  const choose = (text: string) => {
    const chosen = kinds.find(each => each === text) ?? null
    setKind(chosen)
    onChange(chosen === 'all' ? 'all' : null)
  }
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('alerts:begin.target')}
        required
        value={kind}
        onChange={choose}
        error={kind === null && error}
      >
        <Stack gap="xs" mt="xs">
          {kinds.map((each, index) => (
            <Radio
              key={each}
              ref={index === 0 ? focusFirst : undefined}
              data-autofocus={index === 0 || undefined}
              value={each}
              label={t(`alerts:targets.${each}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {(kind === 'group' || kind === 'device') && (
        <SearchSelect<Reference>
          key={kind}
          {...finds[kind]}
          label={t(`alerts:find.${kind}`)}
          required
          value={value}
          chosen={value !== null && reach ? { uid: value, name: reach.target.name ?? '' } : undefined}
          labelOf={item => item.name}
          nothingFound={t('list:nothingFound')}
          onChange={onChange}
          error={error}
        />
      )}
    </Stack>
  )
}
