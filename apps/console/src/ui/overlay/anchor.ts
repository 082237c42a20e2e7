import type { Menu } from '@mantine/core'
import { createContext, type RefObject } from 'react'

/** The button of a dropdown, and whether it is open. */
export interface Anchor {
  id: string
  button: RefObject<HTMLElement | null>
  isOpen: boolean
  setIsOpen: (isOpen: boolean) => void
}

/** Mantine's menu, for the items of an open dropdown. */
export const MenuParts = createContext<typeof Menu | null>(null)
