import { useMemo } from 'react'
import { readDevice, type DeviceRow } from '@floorcast/contract/devices.ts'
import { call } from '../../platform/client.ts'
import type { RenameItem } from '../../platform/renaming.ts'
import { useMayChange } from '../../platform/session.ts'
import { useEditDevice } from './devices-data.ts'
import { SameName } from './same-name.tsx'

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
