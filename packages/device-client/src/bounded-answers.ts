/** The answer to a call of the protocol: the largest is the list of refused events. */
export const MAX_ANSWER_BYTES = 1024 * 1024
/** A manifest or a programme. A playlist of 100,000 items, each of another file, takes about 40 MB. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024

const tooLong = (maxBytes: number) => new Error(`The answer has more than ${maxBytes} bytes`)

/**
 * The same answer, of which at most `maxBytes` can be read: reading more fails and ends the connection. The bytes are counted
 * after decompression. @throws Error at once if the server announces more
 */
export async function boundAnswer(response: Response, maxBytes: number): Promise<Response> {
  const { body, headers, status, statusText } = response
  if (!body) return response
  const announced = headers.get('content-length')
  if (Number(announced) > maxBytes) {
    await body.cancel()
    throw tooLong(maxBytes)
  }
  // HTTP itself ends a body at its announced length.
  if (announced !== null && !headers.has('content-encoding')) return response
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) controller.error(tooLong(maxBytes))
      else controller.enqueue(chunk)
    },
  })
  return new Response(body.pipeThrough(counter), { status, statusText, headers })
}
