import type { UserRow } from '@floorcast/contract/users.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useSignedInUser } from '../../platform/session.ts'
import { toast } from '../../platform/toasts.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { PasswordStep } from '../../ui/side-form/password-step.tsx'
import { nameUser } from './user-names.ts'
import { useRemoveUser, useResetUser, type UserLink } from './users-data.ts'

type Question = 'reset' | 'remove'

/** A user, and the admin's own password. */
interface ByPassword {
  uid: string
  password: string
}

interface UserQuestionProps {
  question: Question
  user: UserRow
  onClose: () => void
  onLink: (link: UserLink) => void
}

/** Asks for the admin's own password before a user gets another link or is removed. A refusal is shown in the dialog. */
export function UserQuestion({ question, user, onClose, onLink }: UserQuestionProps) {
  const { t } = useTranslate()
  const own = useSignedInUser()
  const answers = useAnswers(user, onLink)
  const name = nameUser(user)
  const isAgain = question === 'reset' && user.isInvited
  const isOwn = question === 'remove' && user.uid === own.uid
  const answer = async (password: string) => {
    await answers[question]({ uid: user.uid, password })
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(isAgain ? 'users:reset.againTitle' : `users:${question}.title`, { name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <PasswordStep
        submitLabel={t(isAgain ? 'users:reset.again' : `users:${question}.button`)}
        onPassword={answer}
        onClose={onClose}
      >
        {t(isAgain ? 'users:reset.againText' : isOwn ? 'users:remove.own' : `users:${question}.text`, {
          name,
        })}
      </PasswordStep>
    </Modal>
  )
}

function useAnswers(user: UserRow, onLink: (link: UserLink) => void) {
  const { t } = useTranslate()
  const reset = useResetUser()
  const remove = useRemoveUser()
  const name = nameUser(user)
  return {
    reset: async (by: ByPassword) => {
      const { link, expiresAt, sentTo } = await reset.mutateAsync(by)
      if (sentTo !== undefined) void toast('success', t('users:sentTo', { email: sentTo }))
      if (link !== undefined) onLink({ email: user.email, link, expiresAt })
    },
    remove: async (by: ByPassword) => {
      await remove.mutateAsync(by)
      void toast('success', t('users:remove.done', { name }))
    },
  } satisfies Record<Question, (by: ByPassword) => Promise<void>>
}
