import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface EntityLinkProps {
  /** The item, null when there is none. */
  entity: { uid: string; name: string } | null
  to: (uid: string) => string
  none?: ReactNode
}

/** The name of an item, as a link to its page. */
export function EntityLink({ entity, to, none = '–' }: EntityLinkProps) {
  if (!entity) return none
  return (
    <Anchor component={Link} to={to(entity.uid)} inherit>
      <bdi>{entity.name}</bdi>
    </Anchor>
  )
}
