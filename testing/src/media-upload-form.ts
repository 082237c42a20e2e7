import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPath } from '@floorcast/contract/client.ts'
import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import { uploadMedia, type MediaType } from '@floorcast/contract/media.ts'
import type { TestServer } from './test-server.ts'

/** The parts of an upload, in the order in which the console sends them; `path` or `bytes` is the file. */
export interface UploadParts {
  path?: string
  bytes?: Uint8Array
  /** The file's name as the browser says it. */
  name?: string
  fields?: Record<string, string>
  /** Path of a preview image. */
  preview?: string
}

/** The request that a browser would send for these parts. */
export async function makeUploadRequest(contentType: MediaType, parts: UploadParts) {
  const form = new FormData()
  for (const [field, value] of Object.entries(parts.fields ?? {})) form.append(field, value)
  if (parts.preview) form.append('preview', new Blob([readFileSync(parts.preview)]), 'preview.png')
  const content = parts.bytes ?? (parts.path ? readFileSync(parts.path) : null)
  if (content) form.append('file', new Blob([new Uint8Array(content)]), parts.name ?? 'song.mp3')
  const encoded = new Response(form)
  return {
    method: 'POST' as const,
    url: buildPath(uploadMedia.path, { contentType }),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  }
}

/** Uploads to a test server, and looks at what it has stored. */
export function uploader(server: TestServer) {
  const answer = async (token: string, contentType: MediaType, parts: UploadParts) => {
    const request = await makeUploadRequest(contentType, parts)
    const headers = { ...request.headers, authorization: `Bearer ${token}` }
    return await server.http.app.inject({ ...request, headers })
  }
  return {
    /** The raw answer of an upload. */
    answer,
    /** The `data` of an upload that HTTP 200 answers. */
    upload: async (
      token: string,
      contentType: MediaType,
      parts: UploadParts,
    ): Promise<AnswerOf<typeof uploadMedia>> => {
      const { statusCode, body } = await answer(token, contentType, parts)
      if (statusCode !== 200) throw new Error(`upload: ${statusCode} ${body}`)
      return (JSON.parse(body) as { data: AnswerOf<typeof uploadMedia> }).data
    },
    /** The names of all files in the store, those on their way included. */
    storedFiles: () =>
      readdirSync(join(server.context.settings.dataDir, 'media'), { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => entry.name),
  }
}
