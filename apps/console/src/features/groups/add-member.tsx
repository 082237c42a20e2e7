import type { GroupCard } from '@floorcast/contract/groups.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { LoadingBar } from '../../ui/overlay/loading-bar.tsx'
import { onDemand } from '../../ui/overlay/on-demand.tsx'

const AddMemberMenu = onDemand<{ group: GroupCard }>(
  async () => (await import('./add-member-menu.tsx')).AddMemberMenu,
  undefined,
  ComingButton,
)

/** A button that lists devices without a group. The list comes when it is first opened: it brings a quarter of the page's code. */
export function AddMember({ group }: { group: GroupCard }) {
  const [isUsed, setIsUsed] = useState(false)
  return isUsed ? <AddMemberMenu group={group} /> : <AddButton onClick={() => setIsUsed(true)} />
}

function ComingButton() {
  return (
    <>
      <LoadingBar />
      <AddButton />
    </>
  )
}

function AddButton({ onClick }: { onClick?: () => void }) {
  const { t } = useTranslate()
  return (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} aria-hidden />}
      aria-expanded={false}
      onClick={onClick}
    >
      {t('groups:addMember')}
    </Button>
  )
}
