import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'

/** SPEC section 9: 5000 ms, at most 3 at once, top centre. */
export const toaster = <Notifications position="top-center" autoClose={5000} limit={3} zIndex={500} />
