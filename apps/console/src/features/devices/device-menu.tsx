import { BulkDevices, ReinstallDialog } from './device-dialogs.ts'
import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { IconKey, IconPlugConnectedX, IconTerminal2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { Menu } from '../../ui/overlay/overlays.tsx'
import { useResetHeartbeat, useResetLicense } from './devices-data.ts'

type Question = 'resetLicense' | 'resetHeartbeat'

/** Rare actions on a device; each asks for confirmation and names the consequence. */
export function DeviceMenu({ device, onDeleted }: { device: DeviceCard; onDeleted: () => void }) {
  const { t } = useTranslate()
  const [question, setQuestion] = useState<Question | null>(null)
  const [isDeleting, setIsDeleting] = useState(false)
  const [isReinstalling, setIsReinstalling] = useState(false)
  const { reinstallLine } = device
  const answers = useAnswers(device)
  return (
    <>
      <MoreMenu label={t('list:menuOf', { name: device.name })} onDelete={() => setIsDeleting(true)}>
        {reinstallLine !== null && (
          <Menu.Item
            leftSection={<IconTerminal2 size={16} aria-hidden />}
            onClick={() => setIsReinstalling(true)}
          >
            {t('devices:license.line')}
          </Menu.Item>
        )}
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
      </MoreMenu>
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
      {isReinstalling && reinstallLine !== null && (
        <ReinstallDialog line={reinstallLine} onClose={() => setIsReinstalling(false)} />
      )}
      {isDeleting && (
        <BulkDevices
          action="delete"
          selection={{ kind: 'some', uids: [device.uid], count: 1 }}
          item={device}
          onClose={() => setIsDeleting(false)}
          onDone={onDeleted}
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
      await resetLicense.mutateAsync({ uid: device.uid })
      void toast('success', t('devices:confirm.resetLicense.done'))
    },
    resetHeartbeat: async () => {
      await resetHeartbeat.mutateAsync({ id: device.uid })
      void toast('success', t('devices:confirm.resetHeartbeat.done'))
    },
  }
}
