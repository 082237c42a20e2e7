import { Input, InputBase } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { createElement, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { latePart } from '../../ui/overlay/late-part.ts'
import type { ItemFilterProps, ItemName } from './loaded-fields.tsx'
import { itemNameQuery } from './report-data.ts'

const useItemCombobox = latePart(async () => (await import('./loaded-fields.tsx')).ItemCombobox)

/**
 * A filter by one item, found by its name on the server; all at first, or none if one is required. Its list, 28 kB of code, is no
 * part of the page's first view: it opens when it has come.
 */
export function ItemFilter(props: ItemFilterProps) {
  const { t } = useTranslate()
  const [ItemCombobox, want] = useItemCombobox()
  const [isUsed, setIsUsed] = useState(false)
  const name = useItemName(props)
  if (ItemCombobox) return createElement(ItemCombobox, { ...props, name, isOpenAtFirst: isUsed })
  const { label, isRequired } = props
  const open = () => {
    setIsUsed(true)
    want()
  }
  return (
    <InputBase
      component="button"
      type="button"
      pointer
      label={label}
      withAsterisk={isRequired}
      aria-label={t('labeled', { label, value: name.text })}
      aria-haspopup="listbox"
      aria-expanded={false}
      rightSection={<IconSelector size={16} aria-hidden />}
      rightSectionPointerEvents="none"
      onClick={open}
    >
      {/* Its own direction comes from the style of all fields. */}
      {name.isKnown ? name.text : <Input.Placeholder>{name.text}</Input.Placeholder>}
    </InputBase>
  )
}

function useItemName({
  kind,
  item,
  isRequired,
}: Pick<ItemFilterProps, 'kind' | 'item' | 'isRequired'>): ItemName {
  const { t } = useTranslate()
  const { data, isPending, isError } = useQuery({
    ...itemNameQuery(kind, item ?? { uid: '' }),
    enabled: item !== undefined,
  })
  if (!item && isRequired) return { text: t('reports:screen.choose'), isKnown: false }
  if (!item) return { text: t('reports:filters.all'), isKnown: true }
  if (data) return { text: data, isKnown: true }
  if (isError) return { text: t('failedTitle'), isKnown: false }
  return { text: isPending ? t('loading') : t('reports:screen.gone'), isKnown: false }
}
