// Runs before the first paint: sets the colour scheme and the writing direction, so that nothing flashes.
// A file of its own because the Content-Security-Policy allows no inline script.
;(() => {
  const root = document.documentElement
  let kept = {}
  let language = null
  let token = null
  let apiBase = ''
  try {
    kept = JSON.parse(localStorage.getItem('floorcast.personalization') ?? '{}') ?? {}
    language = localStorage.getItem('floorcast.language')
    token = localStorage.getItem('floorcast.token')
    apiBase = localStorage.getItem('floorcast.apiBase') ?? ''
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
   * The build writes here the languages of the console, with the addresses of their first texts, of those of every signed-in
   * page, and of the list of each page's files.
   * @type {{ code: string, tag: string, dir: string, first: string[], signedIn: string[], pages: string }[]}
   */
  const languages = []
  /**
   * The build writes here which files every signed-in page needs.
   * @type {string[]}
   */
  const frame = []
  /**
   * The build writes here the first call of the pages whose answer takes the server long, by their paths.
   * @type {Record<string, string>}
   */
  const firstCalls = {}
  const primary = (/** @type {string} */ tag) => tag.toLowerCase().split('-')[0]
  const ofBrowser = navigator.languages.map(tag => languages.find(each => primary(each.tag) === primary(tag)))
  const english = languages.find(({ code }) => code === 'en')
  const shown = languages.find(({ code }) => code === language) ?? ofBrowser.find(each => each) ?? english
  root.lang = shown?.tag ?? 'en'
  root.dir = shown?.dir ?? 'ltr'

  /** The files of the page come together with the first script, not after it. */
  const fetchEarly = (/** @type {string} */ href) => {
    if (href.endsWith('.css')) {
      // Into the browser's cache: of a preloaded style that is used late, browsers complain.
      void fetch(href)
        .then(answer => answer.text())
        .catch(() => undefined)
    } else document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  }
  const here = location.pathname.split('/')
  const isHere = (/** @type {string} */ path) => {
    const parts = path.split('/')
    return parts.length === here.length && parts.every((part, at) => part[0] === ':' || part === here[at])
  }
  /** @param {{ files: string[], pages: Record<string, number[]> }} list */
  const fetchPage = ({ files, pages }) => {
    for (const at of pages[Object.keys(pages).find(isHere) ?? ''] ?? []) fetchEarly(files[at] ?? '')
  }
  if (!shown) return
  shown.first.forEach(fetchEarly)
  if (token === null) return
  const called = Object.keys(firstCalls).find(isHere)
  if (called !== undefined && (location.search === '' || !firstCalls[called]?.includes('?'))) {
    const uid = here[called.split('/').indexOf(':uid')] ?? ''
    const address = apiBase + (firstCalls[called]?.replace(':uid', () => uid) ?? '')
    const headers = {
      accept: 'application/json',
      'accept-language': root.lang,
      authorization: `Bearer ${token}`,
    }
    const answer = fetch(address, { headers })
    answer.catch(() => undefined)
    Object.assign(window, { floorcastFirstAnswer: { address, token, answer, at: performance.now() } })
  }
  // The list comes first: once the scripts run, it would have to wait. Without it, the page finds its files itself, later.
  void fetch(shown.pages)
    .then(answer => answer.json())
    .then(fetchPage)
    .catch(() => undefined)
  for (const href of [...frame, ...shown.signedIn]) fetchEarly(href)
})()
