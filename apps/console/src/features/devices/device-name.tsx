import { readDevice, type DeviceRow } from '@floorcast/contract/devices.ts'
import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import type { RenameItem } from '../../platform/renaming.ts'
import { useMayChange } from '../../platform/session.ts'
import { useEditDevice, sameNameQuery } from './devices-data.ts'

/** Renames a device; says while one types that another device has the name. */
export function useRenameDevice(): RenameItem<DeviceRow & { version?: number }> {
  const { mutateAsync: edit } = useEditDevice()
  const mayChange = useMayChange()
  return useMemo(() => {
    if (!mayChange) return null
    return ({ uid, name, version }) => ({
      name,
      version: version ?? (async () => (await call(readDevice, { params: { id: uid } })).version),
      save: change => edit({ uid, ...change }),
      hint: text => <SameName name={text} uid={uid} />,
    })
  }, [mayChange, edit])
}

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
