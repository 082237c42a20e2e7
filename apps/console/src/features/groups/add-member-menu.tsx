import type { GroupCard } from '@floorcast/contract/groups.ts'
import { Button, Combobox, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { candidatesQuery, useAddToGroup } from './groups-data.ts'

export interface MemberMenu {
  group: GroupCard
  isOpen: boolean
  setIsOpen: (isOpen: boolean) => void
}

/** The button that lists devices without a group; each click on one adds it. */
export function AddMemberMenu({ group, isOpen, setIsOpen }: MemberMenu) {
  const { t } = useTranslate()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const combobox = useCombobox({
    opened: isOpen,
    onOpenedChange: setIsOpen,
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setText('')
    },
  })
  const { focusSearchInput } = combobox
  useEffect(() => focusSearchInput(), [focusSearchInput])
  const { data, isPending, isError } = useQuery({
    ...candidatesQuery(group.kind, search),
    enabled: combobox.dropdownOpened,
  })
  const add = useAdd(group)
  return (
    <Combobox
      store={combobox}
      width={320}
      position="bottom-end"
      withinPortal={false}
      onOptionSubmit={uid => add(uid, data?.items.find(item => item.uid === uid)?.name ?? '')}
    >
      <Combobox.Target withAriaAttributes={false}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
        >
          {t('groups:addMember')}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={text}
          aria-label={t('groups:findDevice')}
          placeholder={t('groups:findDevice')}
          onChange={event => setText(event.currentTarget.value)}
        />
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label={t('groups:freeDevices')}>
          {data?.items.map(device => (
            <Combobox.Option key={device.uid} value={device.uid}>
              {device.name}
            </Combobox.Option>
          ))}
          {data?.items.length === 0 && <Combobox.Empty>{t('groups:noFreeDevices')}</Combobox.Empty>}
        </Combobox.Options>
        {isPending && combobox.dropdownOpened && <Note>{t('loading')}</Note>}
        {isError && !data && <Note>{t('failedTitle')}</Note>}
      </Combobox.Dropdown>
    </Combobox>
  )
}

const Note = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed" p="xs" role="status">
    {children}
  </Text>
)

function useAdd(group: GroupCard): (device: string, name: string) => void {
  const { t } = useTranslate()
  const { mutate } = useAddToGroup()
  return (device, name) =>
    mutate(
      { device, group: group.uid },
      {
        onSuccess: () => void toast('success', t('groups:memberAdded', { name })),
        onError: error => toastFailure(error),
      },
    )
}
