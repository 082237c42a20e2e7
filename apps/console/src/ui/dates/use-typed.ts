import { useState } from 'react'

interface TypedOptions {
  /** The owner's value: valid, empty, or the invalid text. */
  value: string
  onChange: (value: string) => void
  /** The text of a value. */
  show: (value: string) => string
  /** The value of a text; null if the text is invalid. */
  read: (text: string) => string | null
  /** Whether a text may be its owner's already, while more may be typed. */
  isWhole?: (text: string) => boolean
}

/**
 * The text of a field whose value is read from it. While one types, the text stays as typed; its owner has the value as soon
 * as there is one, and until then the text, which its own rules refuse.
 */
export function useTyped({ value, onChange, show, read, isWhole = () => true }: TypedOptions) {
  const [typed, setTyped] = useState<{ text: string; isTyping: boolean } | null>(null)
  const valueOf = (text: string) => (text.trim() === '' ? '' : read(text))
  const typedValue = typed && valueOf(typed.text)
  // The owner may have another value by now, and may not keep an invalid text.
  const isOwn = typed !== null && (value === typedValue || value === typed.text || value === '')
  const type = (text: string) => {
    setTyped({ text, isTyping: true })
    const next = valueOf(text)
    onChange(next === null || (next !== '' && !isWhole(text)) ? text : next)
  }
  const finish = () => {
    if (!typed?.isTyping) return
    if (!isOwn || typedValue === null) return setTyped(isOwn ? { ...typed, isTyping: false } : null)
    setTyped(null)
    if (typedValue !== value) onChange(typedValue)
  }
  const set = (next: string) => {
    setTyped(null)
    onChange(next)
  }
  return {
    text: isOwn ? typed.text : show(value),
    /** Whether the text is invalid, and still typed or not. */
    wrong: isOwn && typedValue === null ? (typed.isTyping ? 'unfinished' : 'wrong') : null,
    type,
    finish,
    set,
  } as const
}
