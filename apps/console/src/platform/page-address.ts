import type { ComponentType } from 'react'

/** The address of a page that is about to be shown. */
export interface PageAddress {
  /** The uid of the item of a detail page; else empty. */
  uid: string
  search: URLSearchParams
}

/** A page. `prefetch` asks for what it shows first, while the frame of the page is drawn. */
export type PageComponent = ComponentType & { prefetch?: (address: PageAddress) => Promise<void> }
