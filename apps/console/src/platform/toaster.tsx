import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'

/** 5000 ms, at most 3 at once, top center (docs/specification.md#9-business-constants-and-limits). */
export const toaster = <Notifications position="top-center" autoClose={5000} limit={3} zIndex={500} />
