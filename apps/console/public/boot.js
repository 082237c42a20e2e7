// Runs before the first paint: sets the colour scheme and the writing direction, so that nothing flashes.
// A file of its own because the Content-Security-Policy allows no inline script.
;(() => {
  const root = document.documentElement
  let kept = {}
  let language = null
  let isSignedIn = false
  try {
    kept = JSON.parse(localStorage.getItem('floorcast.personalization') ?? '{}') ?? {}
    language = localStorage.getItem('floorcast.language')
    isSignedIn = localStorage.getItem('floorcast.token') !== null
  } catch {
    // Storage may be blocked or hold something else: the system's own choice is used.
  }
  const isDark =
    kept.mode === 'dark' || (kept.mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
  if (kept.mode === 'dark' || kept.mode === 'light')
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.setAttribute('content', isDark ? '#0f1319' : '#f5f6f8')
  // The offer to install the console comes once, maybe before the menu that shows it.
  addEventListener('beforeinstallprompt', event => {
    event.preventDefault()
    Object.assign(window, { floorcastInstallPrompt: event })
  })
  /**
   * The build writes here the languages of the console.
   * @type {{ code: string, tag: string, dir: string }[]}
   */
  const languages = []
  const primary = (/** @type {string} */ tag) => tag.toLowerCase().split('-')[0]
  const ofBrowser = navigator.languages.map(tag => languages.find(each => primary(each.tag) === primary(tag)))
  const shown = languages.find(({ code }) => code === language) ?? ofBrowser.find(each => each)
  const { code, tag, dir } = shown ?? { code: 'en', tag: 'en', dir: 'ltr' }
  root.lang = tag
  root.dir = dir
  /**
   * The build writes here which files every signed-in page needs: they come together with the first script, not after it.
   * @type {Record<string, string[]>}
   */
  const signedIn = {}
  if (!isSignedIn) return
  for (const href of [...(signedIn['all'] ?? []), ...(signedIn[code] ?? [])])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
})()
