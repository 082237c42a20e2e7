/**
 * Runs in each page before its scripts, as `floorcastProbe`: the largest paint, the layout shift, the durations of clicks and
 * the time from a click to the content that it leads to. A text, because it is compiled without the types of browsers.
 */
export const CONSOLE_PROBE = `(() => {
  const probe = { paintMs: 0, shift: 0, answersMs: [], contentMs: null }
  globalThis.floorcastProbe = probe
  const observe = (type, add, options = {}) =>
    new PerformanceObserver(list => list.getEntries().forEach(add)).observe({ type, buffered: true, ...options })
  observe('largest-contentful-paint', entry => { probe.paintMs = entry.startTime })
  observe('layout-shift', entry => { if (!entry.hadRecentInput) probe.shift += entry.value })
  observe('event', entry => { if (entry.interactionId > 0) probe.answersMs.push(entry.duration) }, { durationThreshold: 16 })
  /** Measures the time from the next click until another page has what a selector names, and no list waits. */
  probe.watch = selector => {
    probe.contentMs = null
    const title = () => document.querySelector('h1')?.textContent
    const before = title()
    addEventListener('click', click => {
      const isThere = () =>
        title() !== before &&
        document.querySelector('main ' + selector) !== null &&
        document.querySelector('main section[aria-busy="true"]') === null
      const look = () => {
        if (isThere()) setTimeout(() => { probe.contentMs = performance.now() - click.timeStamp })
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }, { capture: true, once: true })
  }
})()`

/** What the probe has measured since the page began, or since `answersMs` was emptied. */
export interface Probed {
  paintMs: number
  shift: number
  answersMs: number[]
  contentMs: number | null
}
