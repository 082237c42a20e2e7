import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

interface EntityLinkProps {
  entity: { uid: string; name: string }
  to: (uid: string) => string
}

/** The name of an item, as a link to its page. */
export function EntityLink({ entity, to }: EntityLinkProps) {
  return (
    <Anchor component={Link} to={to(entity.uid)} title={entity.name} inherit>
      <bdi>{entity.name}</bdi>
    </Anchor>
  )
}
