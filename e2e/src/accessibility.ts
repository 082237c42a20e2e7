import type { Page } from 'playwright-core'

/**
 * Controls smaller than 24 by 24 CSS pixels (WCAG 2.2, 2.5.8), but for links in a sentence, what a larger label belongs to, and those
 * with space around them: a circle of 24 px around each touches no other control.
 */
export const findSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const minSize = 24
    /** Screen readers alone get what is clipped away. */
    const isClipped = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).clipPath !== 'none' || isClipped(element.parentElement))
    const isShown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.getClientRects().length > 0 &&
      !isClipped(element)
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30) ?? ''}`
    const isInText = (element: Element) => {
      const around = element.parentElement
      if (element.tagName !== 'A' || !around) return false
      const own = element.textContent?.trim().length ?? 0
      return (around.textContent?.trim().length ?? 0) > own || getComputedStyle(element).display === 'inline'
    }
    /** The label of a field takes its clicks too. */
    const areaOf = (element: Element) => {
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
      const boxes = [element, ...labels].map(each => each.getBoundingClientRect())
      return {
        width: Math.max(...boxes.map(box => box.right)) - Math.min(...boxes.map(box => box.left)),
        height: Math.max(...boxes.map(box => box.bottom)) - Math.min(...boxes.map(box => box.top)),
      }
    }
    const controls =
      'a[href], button, input:not([type=hidden]):not([type=file]), select, textarea, [role=button], [role=slider], [role=tab]'
    const shown = [...document.querySelectorAll(controls)].filter(isShown)
    /** From the middle of a control to the nearest point of another. */
    const distance = (element: Element, other: Element) => {
      const [own, box] = [element.getBoundingClientRect(), other.getBoundingClientRect()]
      const [x, y] = [own.left + own.width / 2, own.top + own.height / 2]
      return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom))
    }
    const hasSpace = (element: Element) =>
      shown.every(
        other =>
          other === element ||
          other.contains(element) ||
          element.contains(other) ||
          distance(element, other) >= minSize / 2,
      )
    return shown
      .filter(element => !isInText(element))
      .map(element => ({ element, area: areaOf(element) }))
      .filter(({ area }) => area.width > 1 && (area.width < minSize || area.height < minSize))
      .filter(({ element }) => !hasSpace(element))
      .map(
        ({ element, area }) => `${nameOf(element)}: ${Math.round(area.width)} x ${Math.round(area.height)}`,
      )
  })

/**
 * The fault of the place of the focus: it is covered by something else, or outside of the window. Null if it is seen, also
 * after a moment: the page may still move below a banner or towards the focus.
 */
const findFocusFault = (page: Page): Promise<string | null> =>
  page.evaluate(async () => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return null
    const name = `${focused.tagName.toLowerCase()} ${focused.getAttribute('aria-label') ?? focused.textContent?.trim().slice(0, 30) ?? ''}`
    const label = focused instanceof HTMLInputElement ? focused.labels?.[0] : undefined
    const faultAt = () => {
      const box = focused.getBoundingClientRect()
      if (box.width <= 1 && !label) return null
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return `${name}: outside of the window`
      const at = document.elementFromPoint(x, y)
      const isSeen =
        at !== null && (focused.contains(at) || at.contains(focused) || (label?.contains(at) ?? false))
      return isSeen
        ? null
        : `${name}: under ${at?.tagName.toLowerCase()}.${at?.className.toString().slice(0, 40)}`
    }
    const until = performance.now() + 2000
    let fault = faultAt()
    while (fault !== null && performance.now() < until) {
      await new Promise(resolve => setTimeout(resolve, 50))
      fault = faultAt()
    }
    return fault
  })

/** Walks the page by Tab. Returns the stops whose focus is not seen. */
export async function findHiddenFocus(page: Page, stops: number): Promise<string[]> {
  const faults: string[] = []
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press('Tab')
    const fault = await findFocusFault(page)
    if (fault !== null) faults.push(fault)
  }
  return faults
}
