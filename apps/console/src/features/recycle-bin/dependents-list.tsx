import { BinKind, type Dependent } from '@floorcast/contract/recycle-bin.ts'
import { Alert, Anchor, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { binSearch, dependentsQuery } from './bin-data.ts'
import styles from './recycle-bin.module.css'

/** The items that need an item of the bin, each with a link to where it is; nothing if none does. */
export function DependentsList({ x, uid }: { x: BinKind; uid: string }) {
  const { t } = useTranslate()
  const { data, isPending, error } = useQuery(dependentsQuery(x, uid))
  if (isPending) return <Skeleton height={40} />
  if (error)
    return (
      <Alert color="red" role="alert">
        {describeFailure(t, error)}
      </Alert>
    )
  const [needing, losing] = [data.filter(needsIt), data.filter(each => !needsIt(each))]
  return (
    <>
      {needing.length > 0 && (
        <div>
          <Text>{t('recycle:neededBy')}</Text>
          <Dependents items={needing} label={t('recycle:neededBy')} />
        </div>
      )}
      {losing.length > 0 && (
        <div>
          <Text>{t('recycle:lostBy')}</Text>
          <Dependents items={losing} label={t('recycle:lostBy')} />
        </div>
      )}
    </>
  )
}

/** An item of the bin could not be restored without it; a profile names its sound. The others go on without it. */
const needsIt = ({ isInBin, isBlocking }: Dependent) => isInBin || isBlocking

function Dependents({ items, label }: { items: readonly Dependent[]; label: string }) {
  const { t } = useTranslate()
  return (
    <ul className={styles.items} tabIndex={0} aria-label={label}>
      {items.map(item => {
        const to = pathTo(item)
        return (
          <li key={item.uid}>
            <Text span c="dimmed" size="sm">
              {t(`recycle:kinds.${item.kind}`)}
            </Text>
            {to === null ? (
              <bdi>{item.name}</bdi>
            ) : (
              <Anchor component={Link} to={to}>
                <bdi>{item.name}</bdi>
              </Anchor>
            )}
            {item.isInBin && (
              <Text span c="dimmed" size="sm">
                {t('recycle:inBin')}
              </Text>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The page of a dependent; null for kinds without one. */
function pathTo({ kind, uid, name, isInBin }: Dependent): string | null {
  const inBin = BinKind.safeParse(kind).data
  if (isInBin && inBin) return binSearch(inBin, name)
  if (kind === 'publications') return paths.publication(uid)
  if (kind === 'playlists') return paths.playlist(uid)
  if (kind === 'groups') return paths.group(uid)
  return kind === 'devices' ? paths.device(uid) : null
}
