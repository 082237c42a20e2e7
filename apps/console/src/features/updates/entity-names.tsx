import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { EntityLink } from '../../ui/entity-link.tsx'

/** The number of names in a cell; if there are more, it shows their number. */
const MAX_NAMES = 3

/** The first names of groups or packages, as links, and how many more there are. */
export function EntityNames({
  items,
  to,
}: {
  items: readonly { uid: string; name: string }[]
  to: (uid: string) => string
}) {
  const { t } = useTranslate()
  const format = useFormat()
  const more = items.length - MAX_NAMES
  return (
    <>
      {items.slice(0, MAX_NAMES).map((item, index) => (
        <span key={item.uid}>
          {index > 0 && ' · '}
          <EntityLink entity={item} to={to} />
        </span>
      ))}
      {more > 0 && ` · ${t('list:moreNames', { shown: format.number(more) })}`}
    </>
  )
}
