import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ProblemError, toFieldCode, unknownField, wrongField } from '../../lib/errors.ts'

/** A file of a form. Read its bytes before you ask for the next part. */
export type FilePart = { type: 'file'; name: string; fileName: string; bytes: AsyncIterable<Uint8Array> }

/** One part of a form; parts come in the order in which they are sent. */
export type FormPart = { type: 'field'; name: string; value: string } | FilePart

export const MAX_FIELDS = 20
export const MAX_FILES = 4
const MAX_FIELD_BYTES = 10_000
const MAX_NAME_LENGTH = 200

/** Makes the server accept multipart forms; the reader of a file part limits its length. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fields: MAX_FIELDS, files: MAX_FILES, fieldSize: MAX_FIELD_BYTES, fileSize: Infinity },
  })
}

/** Leaves binary bodies unread for calls that stream them; refuses them elsewhere. */
export function acceptBytes(app: FastifyInstance): void {
  app.addContentTypeParser('application/offset+octet-stream', (request, _, done) => {
    if (request.routeOptions.config.takesBytes) done(null)
    else done(new ProblemError('unsupported-media-type'))
  })
}

function malformed(error: unknown): Error {
  if (error instanceof Error && 'statusCode' in error) return error
  return new ProblemError('malformed', { detail: 'The form ended early or is not multipart/form-data.' })
}

async function* bytesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    throw malformed(error)
  }
}

/** Discards the rest of a refused form, so that the answer arrives and the connection can be used again. */
export function drain({ raw }: FastifyRequest): void {
  raw.unpipe()
  raw.resume()
}

/**
 * Reads a form part by part without buffering its files.
 * @throws ProblemError 400 for a broken form, 415 for no form, 422 for a part that the call does not declare
 */
export async function* readForm(request: FastifyRequest): AsyncGenerator<FormPart> {
  const names = request.routeOptions.config.formParts ?? []
  if (!request.isMultipart())
    throw new ProblemError('unsupported-media-type', {
      detail: 'This call takes a form (multipart/form-data with a boundary).',
    })
  const parts = request.parts()
  try {
    for (;;) {
      const next = await parts.next().catch((error: unknown) => {
        throw malformed(error)
      })
      if (next.done) return
      const part: Multipart = next.value
      const name = part.fieldname
      if (!names.includes(name)) throw unknownField(name.slice(0, MAX_NAME_LENGTH), names)
      if (part.type === 'field') yield { type: 'field', name, value: String(part.value) }
      else yield { type: 'file', name, fileName: part.filename, bytes: bytesOf(part.file) }
    }
  } finally {
    drain(request)
  }
}

/** Parses the value of a field. @throws ProblemError 422 at `path` */
export function parseField<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  value: string,
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw wrongField(path, toFieldCode(result.error.issues[0]?.message ?? ''))
}
