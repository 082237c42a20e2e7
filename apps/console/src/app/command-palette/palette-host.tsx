import { useEffect, useRef, useState, type RefObject } from 'react'
import { loadWords } from '../../platform/i18n.ts'
import { isElsewhere } from '../../ui/data-table/search-key.ts'
import { fetchWaiting, onDemand } from '../../ui/overlay/on-demand.tsx'

const CommandPalette = onDemand(async () => {
  const [part] = await Promise.all([import('./command-palette.tsx'), loadWords('palette')])
  return part.CommandPalette
})
const Shortcuts = onDemand(async () => {
  const [part] = await Promise.all([import('./shortcuts.tsx'), loadWords('palette')])
  return part.Shortcuts
})

interface PaletteHostProps {
  isOpen: boolean
  open: (isOpen: boolean) => void
}

/** Opens the command palette by Ctrl K. */
export function PaletteHost({ isOpen, open }: PaletteHostProps) {
  const [isUsed, setIsUsed] = useState(isOpen)
  const typed = useTypedAhead(isOpen)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      void fetchWaiting()
      if (event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      open(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open])
  if (isOpen && !isUsed) setIsUsed(true)
  return isUsed && <CommandPalette isOpen={isOpen} open={open} typed={typed} />
}

/** Shows the keyboard shortcuts by `?`. */
export function ShortcutsHost() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || isElsewhere(event)) return
      event.preventDefault()
      setIsOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return isOpen && <Shortcuts close={() => setIsOpen(false)} />
}

/** The letters that were typed after the palette was asked for and before its field has the focus. */
function useTypedAhead(isOpen: boolean): RefObject<string> {
  const typed = useRef('')
  useEffect(() => {
    if (!isOpen) return
    typed.current = ''
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isLetter = key.length === 1 && !ctrlKey && !metaKey && !altKey
      if (isLetter && !(target instanceof HTMLInputElement)) typed.current += key
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOpen])
  return typed
}
