import type {
  DrawerProps,
  Menu as MantineMenu,
  MenuProps,
  ModalProps,
  Popover as MantinePopover,
  PopoverProps,
  TooltipProps,
} from '@mantine/core'
import {
  cloneElement,
  createContext,
  lazy,
  Suspense,
  use,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type ReactElement,
  type ReactNode,
} from 'react'
import { onDemand } from './on-demand.tsx'
import { MenuParts, type Anchor } from './anchor.ts'
import type { LoadedTooltip as ShownTooltip } from './overlay-parts.tsx'

/*
 * Menus, popovers, tooltips and dialogs of Mantine with the same elements. Their code, 40 kB, is not a part of the page: it
 * comes with the first movement of the pointer or the first focus, or with the click (docs/decisions/0237). A button stays
 * the same element when its dropdown comes, so that it keeps the focus.
 */
const parts = () => import('./overlay-parts.tsx')

/** An anchor, with the props of its dropdown; `isUsed` once it has been opened. */
interface Dropdown<Props> {
  anchor: Anchor
  isUsed: boolean
  props: Props
}

type Openable = Pick<PopoverProps, 'opened' | 'onChange'>

/** @param props those of Mantine's component; with `opened` and `onChange`, its owner knows whether it is open */
function useDropdown<Props extends Openable>({ opened, onChange, ...props }: Props) {
  const id = useId()
  const button = useRef<HTMLElement>(null)
  const [isOpened, setIsOpened] = useState<boolean | null>(null)
  const isOpen = opened ?? isOpened === true
  const setIsOpen = (next: boolean) => {
    setIsOpened(next)
    onChange?.(next)
  }
  return { anchor: { id, button, isOpen, setIsOpen }, isUsed: isOpen || isOpened !== null, props }
}

/** Makes a button open a dropdown, as Mantine's targets do. */
function asButton(child: ReactElement<Record<string, unknown>>, popup: 'menu' | 'dialog', anchor: Anchor) {
  return cloneElement(child, {
    ref: anchor.button,
    id: anchor.id,
    'aria-haspopup': popup,
    'aria-expanded': anchor.isOpen,
    'aria-controls': anchor.isOpen ? `${anchor.id}-dropdown` : undefined,
    'data-expanded': anchor.isOpen || undefined,
    onClick: () => anchor.setIsOpen(!anchor.isOpen),
  })
}

type Button = ReactElement<Record<string, unknown>>

const LoadedMenu = onDemand(async () => (await parts()).LoadedMenu)
const MenuContext = createContext<Dropdown<MenuProps> | null>(null)

function MenuRoot({ children, ...props }: MenuProps) {
  return <MenuContext value={useDropdown(props)}>{children}</MenuContext>
}

function MenuTarget({ children }: { children: Button }) {
  const menu = use(MenuContext)
  return menu && asButton(children, 'menu', menu.anchor)
}

function MenuDropdown({ children }: { children: ReactNode }) {
  const menu = use(MenuContext)
  if (!menu?.isUsed) return null
  return (
    <LoadedMenu {...menu.props} anchor={menu.anchor}>
      {children}
    </LoadedMenu>
  )
}

/** A part of a menu, which is drawn in an open dropdown only. */
function menuPart<Name extends 'Item' | 'CheckboxItem' | 'Divider' | 'Label'>(
  name: Name,
): (typeof MantineMenu)[Name] {
  const Part = (props: object) => {
    const Loaded = use(MenuParts)?.[name] as unknown as ((props: object) => ReactNode) | undefined
    return Loaded ? <Loaded {...props} /> : null
  }
  return Part as unknown as (typeof MantineMenu)[Name]
}

export const Menu = Object.assign(MenuRoot, {
  Target: MenuTarget,
  Dropdown: MenuDropdown,
  Item: menuPart('Item'),
  CheckboxItem: menuPart('CheckboxItem'),
  Divider: menuPart('Divider'),
  Label: menuPart('Label'),
})

/** A popover at a button that is elsewhere. */
export const AnchoredPopover = onDemand(async () => (await parts()).LoadedPopover)
const PopoverContext = createContext<Dropdown<PopoverProps> | null>(null)

function PopoverRoot({ children, ...props }: PopoverProps) {
  return <PopoverContext value={useDropdown(props)}>{children}</PopoverContext>
}

function PopoverTarget({ children }: { children: Button }) {
  const popover = use(PopoverContext)
  return popover && asButton(children, 'dialog', popover.anchor)
}

function PopoverDropdown({ children, ...dropdown }: ComponentProps<typeof MantinePopover.Dropdown>) {
  const popover = use(PopoverContext)
  if (!popover?.isUsed) return null
  return (
    <AnchoredPopover {...popover.props} anchor={popover.anchor} dropdown={dropdown}>
      {children}
    </AnchoredPopover>
  )
}

export const Popover = Object.assign(PopoverRoot, { Target: PopoverTarget, Dropdown: PopoverDropdown })

interface TooltipShownProps extends Pick<TooltipProps, 'label' | 'position'> {
  disabled?: boolean
  children: Button
}

/** Without the network there is no tooltip, and nothing else is lost. */
const LoadedTooltip = lazy<typeof ShownTooltip>(() =>
  parts().then(
    loaded => ({ default: loaded.LoadedTooltip }),
    () => ({ default: () => null }),
  ),
)

/** Says what an element is while the pointer is over it. */
export function Tooltip({ children, disabled = false, ...props }: TooltipShownProps) {
  const target = useRef<HTMLElement>(null)
  const [isUsed, setIsUsed] = useState(false)
  return (
    <>
      {cloneElement(children, { ref: target, onPointerEnter: () => setIsUsed(true) })}
      {isUsed && !disabled && (
        <Suspense fallback={null}>
          <LoadedTooltip {...props} target={target} />
        </Suspense>
      )}
    </>
  )
}

/** The element with the focus; an entry of a menu closes with it and stands for its button. */
function findOpener(): HTMLElement | null {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  const opener = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : focused
  return opener instanceof HTMLElement ? opener : null
}

/** Remembers that a dialog was open, because it is drawn while it closes, and what had the focus when it was opened. */
function useOpening(isOpen: boolean) {
  const [was, setWas] = useState<{ isOpen: boolean; opener: HTMLElement | null } | null>(null)
  if (isOpen !== (was?.isOpen ?? false)) setWas({ isOpen, opener: isOpen ? findOpener() : null })
  return was
}

const LoadedModal = onDemand(async () => (await parts()).LoadedModal)
const LoadedDrawer = onDemand(async () => (await parts()).LoadedDrawer)

export function Modal(props: ModalProps) {
  const opening = useOpening(props.opened)
  return opening && <LoadedModal {...props} opener={opening.opener} />
}

export function Drawer(props: DrawerProps) {
  const opening = useOpening(props.opened)
  return opening && <LoadedDrawer {...props} opener={opening.opener} />
}
