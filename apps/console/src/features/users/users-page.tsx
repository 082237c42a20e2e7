import type { UserRow } from '@floorcast/contract/users.ts'
import { Button } from '@mantine/core'
import {
  IconDeviceDesktopOff,
  IconEdit,
  IconKey,
  IconMail,
  IconShieldOff,
  IconUserMinus,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { useMayChange, useSignedInUser } from '../../platform/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import type { RowAction } from '../../ui/data-table/list-column.ts'
import { useList } from '../../ui/data-table/use-list.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { onDemand } from '../../ui/overlay/on-demand.tsx'
import { userColumns } from './user-columns.tsx'
import { nameUser } from './user-names.ts'
import { usersQuery, type UserLink } from './users-data.ts'

const forms = () => import('./user-forms.tsx')

const FactorDialog = onDemand(async () => (await forms()).FactorDialog)
const InviteForm = onDemand(async () => (await forms()).InviteForm)
const UserForm = onDemand(async () => (await forms()).UserForm)
const LinkDialog = onDemand(async () => (await forms()).LinkDialog)
const SessionsDialog = onDemand(async () => (await forms()).SessionsDialog)
const UserQuestion = onDemand(async () => (await forms()).UserQuestion)

const defaults = { filters: [], sort: 'email' } as const

/** The open dialog over the list. */
type Open =
  | { what: 'invite' }
  | { what: 'link'; link: UserLink }
  | { what: 'edit' | 'sessions' | 'reset' | 'factor' | 'remove'; user: UserRow }

/** The users of the client, for its admins. */
export function UsersPage() {
  const { t } = useTranslate()
  const format = useFormat()
  const own = useSignedInUser()
  const mayChange = useMayChange()
  const list = useList(defaults)
  const result = useQuery(usersQuery(list.query))
  const [open, setOpen] = useState<Open | null>(null)
  const columns = useMemo(() => userColumns(t, format, own.uid), [t, format, own.uid])
  const inviteButton = mayChange && (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setOpen({ what: 'invite' })}>
      {t('users:invite.button')}
    </Button>
  )
  return (
    <>
      <DataTable
        name="users"
        label={t('routes:users')}
        list={list}
        result={result}
        columns={columns}
        rowName={nameUser}
        rowActions={mayChange ? userActions(t, own.uid, setOpen) : []}
        actions={inviteButton}
        empty={
          <EmptyState
            icon={IconUsersGroup}
            title={t('users:empty.title')}
            text={t('users:empty.text')}
            action={inviteButton}
          />
        }
      />
      {open && (
        <OpenDialog
          open={open}
          // A form that has closed itself leaves open what it has opened.
          close={() => setOpen(now => (now === open ? null : now))}
          showLink={link => setOpen({ what: 'link', link })}
        />
      )}
    </>
  )
}

interface OpenDialogProps {
  open: Open
  close: () => void
  showLink: (link: UserLink) => void
}

function OpenDialog({ open, close, showLink }: OpenDialogProps) {
  switch (open.what) {
    case 'invite':
      return <InviteForm onClose={close} onLink={showLink} />
    case 'link':
      return <LinkDialog {...open.link} onClose={close} />
    case 'edit':
      return <UserForm user={open.user} onClose={close} />
    case 'sessions':
      return <SessionsDialog user={open.user} onClose={close} />
    case 'factor':
      return <FactorDialog user={open.user} onClose={close} />
    case 'reset':
    case 'remove':
      return <UserQuestion question={open.what} user={open.user} onClose={close} onLink={showLink} />
  }
}

function userActions(t: Translate, ownUid: string, setOpen: (open: Open) => void): RowAction<UserRow>[] {
  const openFor = (what: Exclude<Open['what'], 'invite' | 'link'>) => (user: UserRow) =>
    setOpen({ what, user })
  return [
    { label: t('users:edit.button'), icon: <IconEdit size={16} aria-hidden />, run: openFor('edit') },
    {
      label: t('users:reset.again'),
      icon: <IconMail size={16} aria-hidden />,
      run: openFor('reset'),
      isHidden: user => !user.isInvited,
    },
    {
      label: t('users:reset.button'),
      icon: <IconKey size={16} aria-hidden />,
      run: openFor('reset'),
      isHidden: user => user.isInvited,
    },
    {
      label: t('users:sessions.button'),
      icon: <IconDeviceDesktopOff size={16} aria-hidden />,
      run: openFor('sessions'),
      isHidden: user => user.isInvited,
    },
    {
      label: t('users:factor.button'),
      icon: <IconShieldOff size={16} aria-hidden />,
      run: openFor('factor'),
      // One's own is on the profile.
      isHidden: user => !user.hasSecondFactor || user.uid === ownUid,
    },
    {
      label: t('users:remove.button'),
      icon: <IconUserMinus size={16} aria-hidden />,
      run: openFor('remove'),
      isDanger: true,
    },
  ]
}
