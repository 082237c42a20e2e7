import { ActionIcon } from '@mantine/core'
import { IconFilterPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { ChipButton, useFilterValues, type ChipProps } from './filter-chip.tsx'
import { FoundValuesChip } from './found-values-chip.tsx'
import type { ListFilter } from './list-column.ts'
import { useIsNarrow } from './narrow.ts'
import type { ListControl } from './use-list.ts'
import { Menu } from '../overlay/overlays.tsx'

/** The filters of a list as chips, and the menu of those that have none yet. */
export function ListFilters({ list, filters }: { list: ListControl; filters: readonly ListFilter[] }) {
  const { t } = useTranslate()
  const [added, setAdded] = useState<readonly string[]>([])
  const isNarrow = useIsNarrow()
  const hasChip = ({ name, isRare = false, isMinor = false }: ListFilter) =>
    !(isRare || (isMinor && isNarrow)) || list.view.filters[name] !== undefined || added.includes(name)
  const others = filters.filter(filter => !hasChip(filter))
  return (
    <>
      {filters.filter(hasChip).map(filter => {
        const Chip = filter.found ? FoundValuesChip : OptionsChip
        return (
          <Chip key={filter.name} filter={filter} list={list} isOpenAtFirst={added.at(-1) === filter.name} />
        )
      })}
      {others.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('list:moreFilters')}
              title={t('list:moreFilters')}
            >
              <IconFilterPlus size={20} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ name, label }) => (
              <Menu.Item key={name} onClick={() => setAdded([...added, name])}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

function OptionsChip({ filter, list, isOpenAtFirst }: ChipProps) {
  const { t } = useTranslate()
  const { values, isMulti, choose, clear } = useFilterValues({ filter, list })
  const chosen = filter.options.filter(option => values.includes(option.value))
  return (
    <Menu position="bottom-start" closeOnItemClick={!isMulti} defaultOpened={isOpenAtFirst}>
      <Menu.Target>
        <ChipButton label={filter.label} names={chosen.map(({ label }) => label)} />
      </Menu.Target>
      <Menu.Dropdown>
        {filter.options.map(option => (
          <FilterOption
            key={option.value}
            isMulti={isMulti}
            isChosen={chosen.includes(option)}
            choose={() => choose(option.value)}
          >
            {option.label}
          </FilterOption>
        ))}
        {chosen.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconX size={16} aria-hidden />} closeMenuOnClick onClick={clear}>
              {t('list:clearFilter')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface FilterOptionProps {
  isMulti: boolean
  isChosen: boolean
  choose: () => void
  children: string
}

function FilterOption({ isMulti, isChosen, choose, children }: FilterOptionProps) {
  if (isMulti)
    return (
      <Menu.CheckboxItem checked={isChosen} onChange={choose}>
        {children}
      </Menu.CheckboxItem>
    )
  return (
    <Menu.Item onClick={choose} aria-current={isChosen}>
      {children}
    </Menu.Item>
  )
}
