import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslate } from '../../platform/i18n.ts'
import { sameNameQuery } from './devices-data.ts'

const waitMs = 300
/** Shorter names are refused. */
const minLength = 3

/** Says that another device has the name. It may: a chain may have two shops of one name. */
export function SameName({ name, uid }: { name: string; uid: string | undefined }) {
  const { t } = useTranslate()
  const wanted = name.normalize('NFC').trim()
  const [asked] = useDebouncedValue(wanted, waitMs)
  const { data } = useQuery({ ...sameNameQuery(asked), enabled: [...asked].length >= minLength })
  const isSame = (other: { uid: string; name: string }) =>
    other.uid !== uid && other.name.toLocaleLowerCase() === wanted.toLocaleLowerCase()
  return (
    <Text size="xs" c="var(--fc-late)" role="status">
      {data?.items.some(isSame) && t('devices:sameName')}
    </Text>
  )
}
