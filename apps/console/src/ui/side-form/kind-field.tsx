import { SegmentedControl, type SegmentedControlProps } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'

/** The choice between audio and video for a new item; `field` is the form's input props. */
export function KindField({ label, field }: { label: string; field: Partial<SegmentedControlProps> }) {
  const { t } = useTranslate()
  return (
    <SegmentedControl
      fullWidth
      aria-label={label}
      data={[
        { value: 'audio', label: t('kinds.audio') },
        { value: 'video', label: t('kinds.video') },
      ]}
      {...field}
    />
  )
}
