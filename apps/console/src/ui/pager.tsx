import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useFormat } from '../platform/format.ts'
import { useTranslate } from '../platform/i18n.ts'

interface PagerProps {
  /** The name of the list, for screen readers. */
  label: string
  /** From 1. */
  page: number
  size: number
  total: number
  /** There are more than `total`. */
  isMore?: boolean
  onChange: (page: number) => void
}

/** The range of rows, and buttons for the previous and next page; for lists inside a panel. */
export function Pager({ label, page, size, total, isMore = false, onChange: turn }: PagerProps) {
  const { t } = useTranslate()
  const format = useFormat()
  if (total <= size && page === 1) return null
  const range = {
    from: format.number(Math.min(total, (page - 1) * size + 1)),
    to: format.number(Math.min(total, page * size)),
    total: format.number(total),
  }
  return (
    <Group component="nav" aria-label={label} gap="xs" justify="space-between" wrap="nowrap" mt="xs">
      <Text size="sm" c="dimmed" className="fc-figures" aria-live="polite">
        {isMore ? t('list:rangeMore', range) : t('list:range', range)}
      </Text>
      <Group gap={4} wrap="nowrap">
        <ActionIcon aria-label={t('list:previousPage')} disabled={page <= 1} onClick={() => turn(page - 1)}>
          <IconChevronLeft size={20} className="fc-points" aria-hidden />
        </ActionIcon>
        <ActionIcon
          aria-label={t('list:nextPage')}
          disabled={page * size >= total && !isMore}
          onClick={() => turn(page + 1)}
        >
          <IconChevronRight size={20} className="fc-points" aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  )
}
