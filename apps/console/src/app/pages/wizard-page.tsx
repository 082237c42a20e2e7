import { RenderDayContext } from '../../features/wizard/render-day.ts'
import { WizardEntry } from '../../features/wizard/wizard-entry.tsx'
import { onDemand } from '../../ui/overlay/on-demand.tsx'

const DayView = onDemand(async () => (await import('../../features/smart-playlists/day-view.tsx')).DayView)

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
