import type { Kind } from '@floorcast/contract/fields.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { useEffect, useRef, useState } from 'react'
import { change } from '../../platform/client.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { useMarkStale } from '../../platform/use-change.ts'

export interface GroupCreation {
  created: number
  total: number
  isStopping: boolean
}

/** Creates groups, one after another; it can be stopped between two of them. */
export function useAddGroups(kind: Kind) {
  const [creation, setCreation] = useState<GroupCreation | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const stopper = useRef<AbortController | null>(null)
  const markStale = useMarkStale('group')
  useEffect(() => () => stopper.current?.abort(), [])

  const addAll = async (names: readonly string[]) => {
    const { signal } = (stopper.current = new AbortController())
    setFailure(null)
    setCreation({ created: 0, total: names.length, isStopping: false })
    try {
      for (const [index, name] of names.entries()) {
        if (signal.aborted) break
        await change(addGroup, { params: { contentType: kind }, body: { name } })
        setCreation(current => current && { ...current, created: index + 1 })
      }
    } catch (error) {
      setFailure(error)
      toastFailure(error)
    }
    await markStale()
    setCreation(null)
  }

  return {
    creation,
    /** The failure of the last creation. */
    failure,
    create: (names: readonly string[]) => void addAll(names),
    stop: () => {
      stopper.current?.abort()
      setCreation(current => current && { ...current, isStopping: true })
    },
  }
}
