import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { useTranslate } from '../../platform/i18n.ts'
import { MoreMenu } from '../more-menu.tsx'
import { Menu } from '../overlay/overlays.tsx'
import { useHasOneMenu } from './narrow.ts'

interface ListAction {
  label: string
  icon: ReactNode
  /** The page that it leads to. */
  to?: string
  run?: () => void
}

/** The actions of a list beside its main one: buttons, and in a narrow window the entries of a menu. */
export function ListActions({ actions }: { actions: readonly ListAction[] }) {
  const { t } = useTranslate()
  const navigate = useNavigate()
  const hasOneMenu = useHasOneMenu()
  if (!hasOneMenu) return actions.map(action => <ActionButton key={action.label} action={action} />)
  return (
    <MoreMenu label={t('moreActions')} onDelete={null}>
      {actions.map(({ label, icon, to, run }) => (
        <Menu.Item
          key={label}
          leftSection={icon}
          onClick={() => (to === undefined ? run?.() : void navigate(to))}
        >
          {label}
        </Menu.Item>
      ))}
    </MoreMenu>
  )
}

function ActionButton({ action: { label, icon, to, run } }: { action: ListAction }) {
  if (to === undefined)
    return (
      <Button variant="default" leftSection={icon} onClick={run}>
        {label}
      </Button>
    )
  return (
    <Button component={Link} to={to} variant="default" leftSection={icon}>
      {label}
    </Button>
  )
}
