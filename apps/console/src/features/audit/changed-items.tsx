import type { AuditedKind, ChangedItem } from '@floorcast/contract/audit.ts'
import { CopyButton, UnstyledButton } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { EntityLink } from '../../ui/entity-link.tsx'
import { Tooltip } from '../../ui/overlay/overlays.tsx'
import styles from './audit.module.css'
import { splitAtUids } from './audit-words.ts'

/** The pages of items by their kind. That of a media item needs its type too, and a deleted update package has none: `findPage`. */
export const pageOf: Partial<Record<AuditedKind, (uid: string) => string>> = {
  device: paths.device,
  group: paths.group,
  playlist: paths.playlist,
  publication: paths.publication,
  profile: paths.configurationProfile,
}

/** Text with names in place of the uids in it, each a link to the item; the uids of deleted items are shortened. */
export function TextWithItems({ text, named }: { text: string; named: readonly ChangedItem[] }) {
  return splitAtUids(text).map(({ uid, text: part }, n) => {
    if (uid === null) return part
    const item = named.find(known => known.uid === uid)
    return item ? <ItemLink key={n} item={item} /> : <ShortUid key={n} uid={uid} />
  })
}

function findPage({ kind, contentType }: ChangedItem) {
  if (contentType !== null) return (uid: string) => paths.mediaItem(contentType, uid)
  return kind === 'update-package' ? paths.package : pageOf[kind]
}

function ItemLink({ item }: { item: ChangedItem }) {
  const page = findPage(item)
  return page ? <EntityLink entity={item} to={page} /> : <bdi>{item.name}</bdi>
}

/** The beginning of a uid; a click copies all of it. */
function ShortUid({ uid }: { uid: string }) {
  const { t } = useTranslate()
  return (
    <CopyButton value={uid} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copied') : uid}>
          <UnstyledButton
            className={styles.uid}
            dir="ltr"
            onClick={copy}
            aria-label={copied ? t('copied') : t('copyOf', { label: uid })}
          >
            {copied ? t('copied') : `${uid.slice(0, 8)}…`}
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  )
}
