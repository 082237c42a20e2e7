import { useLocation, type To } from 'react-router'

/** The parameter of an address that opens the question for an alert over its page. */
const PARAM = 'alert'

/** The target of an alert: the uid of a device or a group, all shops, or a choice that the user still has. */
export type AlertStart = string
/** The user chooses the target. */
export const CHOOSE_TARGET: AlertStart = 'new'

/** Null while the dialog is closed. */
export const readAlertStart = (address: URLSearchParams): AlertStart | null => address.get(PARAM)

/** An address without the dialog. */
export function closeAlertStart(address: URLSearchParams): URLSearchParams {
  const closed = new URLSearchParams(address)
  closed.delete(PARAM)
  return closed
}

/** The address of the present page with the dialog open. */
export function useAlertLink(start: AlertStart): To {
  const { search } = useLocation()
  const opened = new URLSearchParams(search)
  opened.set(PARAM, start)
  return { search: `?${opened}` }
}
