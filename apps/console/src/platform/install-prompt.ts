import { createStore } from './store.ts'

/** The browser's offer to install the console (Chromium). */
interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>
}

declare global {
  interface Window {
    /** An offer from before this was loaded, from `boot.js`. */
    floorcastInstallPrompt?: InstallPrompt | undefined
  }
  interface WindowEventMap {
    beforeinstallprompt: InstallPrompt
  }
}

/** Null: the browser offers nothing, or the console is installed. */
export const installPrompt = createStore<InstallPrompt | null>(window.floorcastInstallPrompt ?? null)

addEventListener('beforeinstallprompt', event => {
  event.preventDefault()
  installPrompt.set(event)
})
addEventListener('appinstalled', () => installPrompt.set(null))

/** Shows the browser's question. An offer can be used once; the browser makes another one when it is refused. */
export async function install(prompt: InstallPrompt): Promise<void> {
  installPrompt.set(null)
  await prompt.prompt()
}
