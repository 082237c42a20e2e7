/* The parts of the codecs that are used: their own declarations name types of browsers, which the server does not have. */

declare namespace JSquash {
  interface Pixels {
    width: number
    height: number
    /** Red, green, blue and alpha of each. */
    data: Uint8ClampedArray
  }
  interface CodecOptions {
    wasmBinary: Uint8Array
    /** Takes what the codec says of damaged bytes, which it decodes as far as it can. */
    printErr?: (line: string) => void
  }
}

declare module '@jsquash/jpeg/decode.js' {
  export function init(options: JSquash.CodecOptions): Promise<void>
  export default function decode(jpeg: Uint8Array): Promise<JSquash.Pixels>
}

declare module '@jsquash/jpeg/encode.js' {
  interface Encoding {
    /** 1 to 100; 75 by default. */
    quality?: number
    /** True by default. */
    progressive?: boolean
    quant_table?: number
    /** 1: gray. */
    color_space?: number
  }
  export function init(options: JSquash.CodecOptions): Promise<void>
  export default function encode(pixels: JSquash.Pixels, encoding: Encoding): Promise<ArrayBuffer>
}

declare module '@jsquash/png/decode.js' {
  export function init(wasmBinary: Uint8Array): Promise<unknown>
  export default function decode(png: Uint8Array): Promise<JSquash.Pixels>
}
