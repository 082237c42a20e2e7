import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconKey, IconPlugConnectedX, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DeleteDevices } from './delete-devices.tsx'
import { useResetHeartbeat, useResetLicense } from './devices-data.ts'

type Question = 'resetLicense' | 'resetHeartbeat'

/** Rare actions on a device; each asks for confirmation and names the consequence. */
export function DeviceMenu({ device, onDeleted }: { device: DeviceCard; onDeleted: () => void }) {
  const { t } = useTranslate()
  const [question, setQuestion] = useState<Question | null>(null)
  const [isDeleting, setIsDeleting] = useState(false)
  const answers = useAnswers(device)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('list.menuOf', { name: device.name })}>
            <IconDots size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconKey size={16} aria-hidden />}
            onClick={() => setQuestion('resetLicense')}
          >
            {t('devices:confirm.resetLicense.menu')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPlugConnectedX size={16} aria-hidden />}
            onClick={() => setQuestion('resetHeartbeat')}
          >
            {t('devices:confirm.resetHeartbeat.menu')}
          </Menu.Item>
          <Menu.Item
            c="var(--fc-down)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setIsDeleting(true)}
          >
            {t('moveToBin')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {question && (
        <ConfirmDialog
          isOpen
          title={t(`devices:confirm.${question}.title`)}
          confirmLabel={t(`devices:confirm.${question}.menu`)}
          isDanger
          onConfirm={answers[question]}
          onClose={() => setQuestion(null)}
        >
          {t(`devices:confirm.${question}.text`, { name: device.name })}
        </ConfirmDialog>
      )}
      {isDeleting && (
        <DeleteDevices
          selection={{ kind: 'some', uids: [device.uid], count: 1 }}
          item={device}
          onClose={() => setIsDeleting(false)}
          onDeleted={onDeleted}
        />
      )}
    </>
  )
}

function useAnswers(device: DeviceCard): Record<Question, () => Promise<void>> {
  const { t } = useTranslate()
  const resetLicense = useResetLicense()
  const resetHeartbeat = useResetHeartbeat()
  return {
    resetLicense: async () => {
      await resetLicense.mutateAsync(device.uid)
      void toast('success', t('devices:confirm.resetLicense.done'))
    },
    resetHeartbeat: async () => {
      await resetHeartbeat.mutateAsync(device.uid)
      void toast('success', t('devices:confirm.resetHeartbeat.done'))
    },
  }
}
