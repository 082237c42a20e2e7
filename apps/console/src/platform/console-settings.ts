import { ConsoleSettings } from '@floorcast/contract/console-settings.ts'
import { useLanguage } from './i18n.ts'
import { createStore, useStore } from './store.ts'

const settings = createStore<ConsoleSettings | null>(null)

/** Asks the installation for its settings; without an answer the console goes on and offers less. */
export async function loadConsoleSettings(): Promise<void> {
  try {
    const answer = await fetch('/config.json')
    if (answer.ok) settings.set(ConsoleSettings.safeParse(await answer.json()).data ?? null)
  } catch {
    // No network at the start: the pages say so themselves when they ask.
  }
}

/** What the installation tells the console at run time; null until it is known. */
export function useConsoleSettings(): ConsoleSettings | null {
  return useStore(settings)
}

/** The manual in the chosen language; null where the installation has none. */
export function useManualAddress(): string | null {
  const { language } = useLanguage()
  const base = useConsoleSettings()?.manualBase ?? ''
  if (base === '') return null
  return `${base.replace(/[/]$/, '')}/${language.code}`
}
