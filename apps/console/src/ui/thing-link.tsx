import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface ThingLinkProps {
  /** The thing, null when there is none. */
  thing: { uid: string; name: string } | null
  to: (uid: string) => string
  none?: ReactNode
}

/** A thing's name that leads to it. */
export function ThingLink({ thing, to, none = '–' }: ThingLinkProps) {
  if (!thing) return none
  return (
    <Anchor component={Link} to={to(thing.uid)} inherit>
      <bdi>{thing.name}</bdi>
    </Anchor>
  )
}
