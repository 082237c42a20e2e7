/** Focuses a part of the foot after the next render. The foot is in view wherever the page is, so the page stays there. */
export function focusInFoot(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus({ preventScroll: true }))
}
