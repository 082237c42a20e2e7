import type { LoaderFunctionArgs } from 'react-router'
import { loadWords } from '../platform/i18n.ts'
import type { PageComponent } from '../platform/page-address.ts'
import type { Page, PageName } from './pages.ts'

/** Loads a page, and the texts of its section. */
export async function loadPage({ name, section }: Page): Promise<PageComponent> {
  const [Component] = await Promise.all([loadModule(name), loadWords(section)])
  return Component
}

/** The names of the files of all pages come with the frame of the signed-in pages: /login needs none of them. */
async function loadModule(name: PageName): Promise<PageComponent> {
  const { pageLoaders } = await import('./page-loaders.ts')
  return pageLoaders[name]()
}

/** Asks for what a page shows first. What fails is asked for again, and told, by the page itself. */
export async function prefetchPage({ name }: Page, { request, params }: LoaderFunctionArgs): Promise<void> {
  try {
    const { prefetch } = await loadModule(name)
    await prefetch?.({ uid: params['uid'] ?? '', search: new URL(request.url).searchParams })
  } catch {
    // The page has not come.
  }
}
