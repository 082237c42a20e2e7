/** The first match names the browser: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (names: typeof browsers, text: string) => names.find(([pattern]) => pattern.test(text))?.[1]

/** Browser and system of a User-Agent; the first word of a program that is no browser, such as `curl/8`. Null if unknown. */
export function readUserAgent(userAgent: string | null): { program: string; system: string | null } | null {
  if (!userAgent) return null
  const program = nameIn(browsers, userAgent) ?? userAgent.split(/\s/, 1)[0]
  return program ? { program, system: nameIn(systems, userAgent) ?? null } : null
}
