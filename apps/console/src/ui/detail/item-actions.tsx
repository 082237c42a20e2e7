import { Button } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'

/** The button of a detail page that opens its form. */
export function EditButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="default" leftSection={<IconEdit size={16} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  )
}
