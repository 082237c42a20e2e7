import type { UserRow } from '@floorcast/contract/users.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { PasswordStep } from '../../ui/side-form/password-step.tsx'
import { nameUser } from './user-names.ts'
import { useRemoveUserSecondFactor } from './users-data.ts'

/** Removes the second factor of a user who has lost it, by the admin's own password. */
export function FactorDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync } = useRemoveUserSecondFactor()
  const name = nameUser(user)
  const remove = async (password: string) => {
    await mutateAsync({ uid: user.uid, password })
    void toast('success', t('users:factor.done', { name }))
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('users:factor.title', { name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <PasswordStep submitLabel={t('users:factor.button')} onPassword={remove} onClose={onClose}>
        {t('users:factor.text', { name })}
      </PasswordStep>
    </Modal>
  )
}
