import type { Context } from './context.ts'
import { registerMedia } from './features/media/media-routes.ts'
import { registerUploads } from './features/uploads/uploads-routes.ts'
import type { Http } from './platform/http/http.ts'

/** The media library and its resumable uploads. */
export async function registerLibrary(http: Http, context: Context): Promise<void> {
  await registerUploads(http, context, registerMedia(http, context))
}
