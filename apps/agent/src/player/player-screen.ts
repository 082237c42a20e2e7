import { isDeepStrictEqual } from 'node:util'
import { defaultDisplay, displayProperties, type DisplaySettings } from './display.ts'
import type { Track } from './playback.ts'

type SendCommand = (command: readonly unknown[]) => Promise<unknown>

/**
 * The screen of one mpv. Of the two that play music and videos, one at a time has the screen: the window of the other, which
 * preloads, would cover what plays.
 */
export class PlayerScreen {
  readonly #send: SendCommand
  #display = defaultDisplay
  #hasScreen: boolean
  #isPictureLoaded = false

  /** `send` rejects if mpv is gone. */
  constructor(send: SendCommand, hasScreen: boolean) {
    this.#send = send
    this.#hasScreen = hasScreen
  }

  get display(): DisplaySettings {
    return this.#display
  }
  /** Whether it shows a picture where no track plays. */
  get hasPicture(): boolean {
    return this.#hasScreen && this.#display.picture !== null
  }
  /** Whether mpv shows the picture in place of a track. */
  get isPictureLoaded(): boolean {
    return this.#isPictureLoaded
  }

  /** Tells an mpv that has just started what it must know. */
  prepare(): void {
    this.#isPictureLoaded = false
    void this.#apply()
    this.loadPicture()
  }
  /** Returns false if it is the display that mpv knows. */
  setDisplay(display: DisplaySettings): boolean {
    if (isDeepStrictEqual(display, this.#display)) return false
    const { resolution, picture } = this.#display
    this.#display = display
    if (display.resolution !== resolution) void this.#closeWindow()
    void this.#apply()
    if (this.#isPictureLoaded && display.picture !== picture) {
      this.#isPictureLoaded = false
      void this.#send(['stop']).catch(() => undefined)
    }
    return true
  }
  /** Takes the screen or leaves it, also while a video plays. */
  async take(hasScreen: boolean): Promise<void> {
    this.#hasScreen = hasScreen
    await this.#apply()
  }

  /** Shows the picture, which ends what mpv plays. */
  loadPicture(): void {
    if (!this.hasPicture || this.#isPictureLoaded) return
    this.#isPictureLoaded = true
    void this.#send(['loadfile', this.#display.picture, 'replace']).catch(() => undefined)
  }
  /** Music plays with the picture as if it were the cover of its album; a video has pictures. */
  optionsOf({ isVideo }: Track): Record<string, string> {
    const { picture } = this.#display
    return isVideo || picture === null ? {} : { 'cover-art-files-append': picture }
  }
  /** mpv loads a track, which takes the picture's place. */
  onTrack(): void {
    this.#isPictureLoaded = false
  }

  /** Writes what mpv shows to a JPEG file, as the screen shows it where mpv can read that. Returns false without a picture. */
  async write(path: string): Promise<boolean> {
    const take = (source: string) => this.#send(['screenshot-to-file', path, source])
    return take('window')
      .catch(() => take('video'))
      .then(
        () => true,
        () => false,
      )
  }

  async #apply(): Promise<void> {
    await this.#set(displayProperties(this.#display, this.#hasScreen))
  }
  /** mpv resizes an open window, but opens only a new one at its place. */
  async #closeWindow(): Promise<void> {
    await this.#set([
      ['force-window', false],
      ['vid', 'no'],
    ])
  }
  async #set(properties: readonly [string, unknown][]): Promise<void> {
    await Promise.allSettled(properties.map(([name, value]) => this.#send(['set_property', name, value])))
  }
}
