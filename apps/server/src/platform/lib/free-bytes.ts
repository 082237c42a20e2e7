/**
 * Frees the memory of bytes that nobody reads again, such as a written or refused part of a body. V8 would free it late, and
 * mark its whole heap for every few hundred network buffers, because a buffer takes next to nothing of V8's own heap. Bytes
 * that share their memory with others are left to V8.
 */
export function freeBytes({ buffer, length }: Uint8Array): void {
  if (length > 0 && length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
