import {
  Drawer,
  Menu,
  Modal,
  Popover,
  Tooltip,
  type DrawerProps,
  type MenuProps,
  type ModalProps,
  type PopoverProps,
  type TooltipProps,
} from '@mantine/core'
import {
  useEffect,
  useLayoutEffect,
  type ComponentProps,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react'
import { useIsMounted } from '../../platform/use-is-mounted.ts'
import { MenuParts, type Anchor } from './anchor.ts'

/** Stands for the button, which is elsewhere on the page. */
function ButtonOf({ anchor, ref }: { anchor: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref !== 'function') return
    ref(anchor.current)
    return () => void ref(null)
  }, [anchor, ref])
  return null
}

/** The dropdown of a menu whose button is on the page. */
export function LoadedMenu({ anchor, ...props }: MenuProps & { anchor: Anchor; children: ReactNode }) {
  const isMounted = useIsMounted()
  return (
    <Menu {...props} id={anchor.id} opened={isMounted && anchor.isOpen} onChange={anchor.setIsOpen}>
      <Menu.Target>
        <ButtonOf anchor={anchor.button} />
      </Menu.Target>
      <MenuParts value={Menu}>
        <Menu.Dropdown>{props.children}</Menu.Dropdown>
      </MenuParts>
    </Menu>
  )
}

/** The dropdown of a popover whose button is on the page. */
export function LoadedPopover({
  anchor,
  dropdown,
  ...props
}: PopoverProps & {
  anchor: Anchor
  dropdown?: ComponentProps<typeof Popover.Dropdown>
  children: ReactNode
}) {
  const isMounted = useIsMounted()
  return (
    <Popover {...props} id={anchor.id} opened={isMounted && anchor.isOpen} onChange={anchor.setIsOpen}>
      <Popover.Target>
        <ButtonOf anchor={anchor.button} />
      </Popover.Target>
      <Popover.Dropdown {...dropdown}>{props.children}</Popover.Dropdown>
    </Popover>
  )
}

/** A tooltip at an element that is on the page. It opens at once if the pointer is still there. */
export function LoadedTooltip({
  target,
  ...props
}: Pick<TooltipProps, 'label' | 'position'> & { target: RefObject<HTMLElement | null> }): ReactNode {
  return <Tooltip {...props} target={target} defaultOpened={target.current?.matches(':hover') ?? false} />
}

interface Opened {
  /** The element that had the focus when it was opened. */
  opener: HTMLElement | null
}

/** A dialog that is taken away while it is open gives the focus back; Mantine does so only for one that closes first. */
function useReturnFocus(isOpen: boolean, opener: HTMLElement | null): void {
  useEffect(() => {
    if (!isOpen) return
    return () => {
      if (document.activeElement === document.body) opener?.focus({ preventScroll: true })
    }
  }, [isOpen, opener])
}

export function LoadedModal({ opener, ...props }: ModalProps & Opened) {
  const isOpen = useIsMounted() && props.opened
  useReturnFocus(isOpen, opener)
  return <Modal {...props} opened={isOpen} />
}

export function LoadedDrawer({ opener, ...props }: DrawerProps & Opened) {
  const isOpen = useIsMounted() && props.opened
  useReturnFocus(isOpen, opener)
  return <Drawer {...props} opened={isOpen} />
}
