import { DayView } from '../../features/smart-playlists/day-view.tsx'
import { RenderDayContext } from '../../features/wizard/check-step.tsx'
import { WizardEntry } from '../../features/wizard/wizard-entry.tsx'

/**
 * /media/wizard. No feature imports another, so the page joins two: the wizard's check step shows the planned day by
 * the view of the smart playlists.
 */
export function WizardPage() {
  return (
    <RenderDayContext value={day => <DayView {...day} />}>
      <WizardEntry />
    </RenderDayContext>
  )
}
