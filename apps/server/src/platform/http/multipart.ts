import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from '../lib/errors.ts'

/** One part of a form, in the order in which they come. A file's bytes are to be read before the next part is asked for. */
export type FormPart =
  | { type: 'field'; name: string; value: string }
  | { type: 'file'; name: string; fileName: string; bytes: AsyncIterable<Uint8Array> }

export const MOST_FIELDS = 20
export const MOST_FILES = 4
const MOST_FIELD_BYTES = 10_000

/** Makes the server take multipart forms; whoever reads a file part limits its length. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fields: MOST_FIELDS, files: MOST_FILES, fieldSize: MOST_FIELD_BYTES, fileSize: Infinity },
  })
}

function malformed(error: unknown): Error {
  if (error instanceof Error && 'statusCode' in error) return error
  return new ProblemError(400, 'malformed', { detail: 'The form ended early or is not multipart/form-data.' })
}

async function* bytesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    throw malformed(error)
  }
}

/** What is left of a refused form flows away, so that the answer arrives and the connection can be used again. */
function drain({ raw }: FastifyRequest): void {
  raw.unpipe()
  raw.resume()
}

/** Reads a form part by part without holding its files. @throws ProblemError 400 for a broken form, 415 for no form. */
export async function* readForm(request: FastifyRequest): AsyncGenerator<FormPart> {
  if (!request.isMultipart())
    throw new ProblemError(415, 'unsupported-media-type', {
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
      if (part.type === 'field') yield { type: 'field', name, value: String(part.value) }
      else yield { type: 'file', name, fileName: part.filename, bytes: bytesOf(part.file) }
    }
  } finally {
    drain(request)
  }
}
