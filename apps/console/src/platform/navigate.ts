/** How addresses are opened outside of components: by the router, once there is one. */
let open = (path: string): void => location.assign(path)

export function setNavigate(navigate: (path: string) => void): void {
  open = navigate
}

/** Opens an address of the console, from code that is no component, such as a toast's button. */
export const navigateTo = (path: string): void => open(path)
