import { useTranslate } from '../../platform/i18n.ts'
import { ActionIcon, Button, Group, NativeSelect, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { useFormat } from '../../platform/format.ts'
import styles from './data-table.module.css'
import { pageSizes, pageWindow } from './list-address.ts'
import type { ListControl } from './use-list.ts'

/** Which rows these are of how many, five page links, and how many rows a page has. */
export function ListFooter({ list, total, isMore }: { list: ListControl; total: number; isMore: boolean }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { page, size } = list.view
  if (total === 0) return null
  const from = (page - 1) * size + 1
  const range = {
    from: format.number(from),
    to: format.number(Math.min(total, page * size)),
    total: format.number(total),
  }
  const describeRange = () => {
    if (isMore) return t('list:rangeMore', range)
    return total <= size ? t('list:items', { count: total }) : t('list:range', range)
  }
  return (
    <Group className={styles.footer} gap="md">
      <Text size="sm" c="dimmed" aria-live="polite">
        {describeRange()}
      </Text>
      <PageLinks list={list} pages={Math.ceil(total / size)} isMore={isMore} />
      <NativeSelect
        className={styles.size}
        aria-label={t('list:perPage')}
        value={String(size)}
        data={pageSizes.map(value => ({
          value: String(value),
          label: t('list:perPageOf', { size: format.number(value) }),
        }))}
        onChange={event => list.show({ size: Number(event.currentTarget.value) })}
      />
    </Group>
  )
}

function PageLinks({ list, pages, isMore }: { list: ListControl; pages: number; isMore: boolean }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { page } = list.view
  if (pages <= 1 && page === 1) return null
  const shown = pageWindow(page, pages)
  const turnTo = (
    name: 'firstPage' | 'previousPage' | 'nextPage' | 'lastPage',
    { to, Icon }: { to: number; Icon: typeof IconChevronLeft },
  ) => (
    <ActionIcon
      aria-label={t(`list:${name}`)}
      disabled={to < 1 || to > pages || to === page}
      onClick={() => list.show({ page: to })}
    >
      <Icon size={20} className="fc-points" aria-hidden />
    </ActionIcon>
  )
  // The ends of a list that is longer than the page links. Where it goes on is not known of one that is not counted to its end.
  const hasEnds = pages > shown.length
  return (
    <nav aria-label={t('list:pages')} className={styles.pages}>
      {hasEnds && turnTo('firstPage', { to: 1, Icon: IconChevronsLeft })}
      {turnTo('previousPage', { to: Math.min(page - 1, pages), Icon: IconChevronLeft })}
      {shown.map(number => (
        <Button
          key={number}
          className={styles.page}
          variant={number === page ? 'light' : 'subtle'}
          {...(number === page ? {} : { color: 'gray' })}
          aria-label={t('list:page', { number: format.number(number) })}
          aria-current={number === page ? 'page' : undefined}
          onClick={() => list.show({ page: number })}
        >
          {format.number(number)}
        </Button>
      ))}
      {turnTo('nextPage', { to: page + 1, Icon: IconChevronRight })}
      {hasEnds && !isMore && turnTo('lastPage', { to: pages, Icon: IconChevronsRight })}
    </nav>
  )
}
