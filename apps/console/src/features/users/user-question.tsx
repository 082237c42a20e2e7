import type { UserRow } from '@floorcast/contract/users.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { nameUser } from './user-names.ts'
import { useRemoveUser, useResetUser, type UserLink } from './users-data.ts'

type Question = 'reset' | 'remove'

interface UserQuestionProps {
  question: Question
  user: UserRow
  onClose: () => void
  onLink: (link: UserLink) => void
}

/** Asks before a user gets another link or is removed. A refusal is shown in the dialog. */
export function UserQuestion({ question, user, onClose, onLink }: UserQuestionProps) {
  const { t } = useTranslate()
  const own = useSignedInUser()
  const answers = useAnswers(user, onLink)
  const name = nameUser(user)
  const isAgain = question === 'reset' && user.isInvited
  const isOwn = question === 'remove' && user.uid === own.uid
  return (
    <ConfirmDialog
      isOpen
      title={t(isAgain ? 'users:reset.againTitle' : `users:${question}.title`, { name })}
      confirmLabel={t(isAgain ? 'users:reset.again' : `users:${question}.button`)}
      isDanger={question !== 'reset'}
      onConfirm={answers[question]}
      onClose={onClose}
    >
      {t(isAgain ? 'users:reset.againText' : isOwn ? 'users:remove.own' : `users:${question}.text`, { name })}
    </ConfirmDialog>
  )
}

function useAnswers(user: UserRow, onLink: (link: UserLink) => void): Record<Question, () => Promise<void>> {
  const { t } = useTranslate()
  const reset = useResetUser()
  const remove = useRemoveUser()
  const name = nameUser(user)
  return {
    reset: async () => {
      const { link, expiresAt, sentTo } = await reset.mutateAsync(user.uid)
      if (sentTo !== undefined) void toast('success', t('users:sentTo', { email: sentTo }))
      if (link !== undefined) onLink({ email: user.email, link, expiresAt })
    },
    remove: async () => {
      await remove.mutateAsync(user.uid)
      void toast('success', t('users:remove.done', { name }))
    },
  }
}
