// Runs before the first paint: sets the colour scheme and the writing direction, so that nothing flashes.
// A file of its own because the Content-Security-Policy allows no inline script.
;(() => {
  const root = document.documentElement
  let kept = {}
  let language = null
  try {
    kept = JSON.parse(localStorage.getItem('floorcast.personalization') ?? '{}') ?? {}
    language = localStorage.getItem('floorcast.language')
  } catch {
    // Storage may be blocked or hold something else: the system's own choice is used.
  }
  const isDark =
    kept.mode === 'dark' || (kept.mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
  if ((language ?? navigator.language).startsWith('ar')) {
    root.lang = 'ar'
    root.dir = 'rtl'
  }
})()
