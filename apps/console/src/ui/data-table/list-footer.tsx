import { useTranslate } from '../../platform/i18n.ts'
import { ActionIcon, Button, Group, NativeSelect, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
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
      <PageLinks list={list} pages={Math.ceil(total / size)} />
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

function PageLinks({ list, pages }: { list: ListControl; pages: number }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { page } = list.view
  if (pages <= 1 && page === 1) return null
  const turn = (to: number) => list.show({ page: to })
  return (
    <nav aria-label={t('list:pages')} className={styles.pages}>
      <ActionIcon aria-label={t('list:previousPage')} disabled={page <= 1} onClick={() => turn(page - 1)}>
        <IconChevronLeft size={20} className="fc-points" aria-hidden />
      </ActionIcon>
      {pageWindow(page, pages).map(number => (
        <Button
          key={number}
          className={styles.page}
          variant={number === page ? 'light' : 'subtle'}
          {...(number === page ? {} : { color: 'gray' })}
          aria-label={t('list:page', { number: format.number(number) })}
          aria-current={number === page ? 'page' : undefined}
          onClick={() => turn(number)}
        >
          {format.number(number)}
        </Button>
      ))}
      <ActionIcon aria-label={t('list:nextPage')} disabled={page >= pages} onClick={() => turn(page + 1)}>
        <IconChevronRight size={20} className="fc-points" aria-hidden />
      </ActionIcon>
    </nav>
  )
}
