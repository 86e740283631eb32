import { useRef, useState } from 'react'

/**
 * Notes on what is typed into a form's fields: one comes when its field is left, not while it is typed
 * in, and goes as soon as what it is about is mended.
 * @param noteOn what is worth knowing about a text in a field
 */
export function useFieldNotes<Name extends string>(
  typed: Readonly<Record<Name, string>>,
  noteOn: (name: Name, text: string) => string | undefined,
) {
  /** Fields that were left as they are. */
  const [left, setLeft] = useState<readonly Name[]>([])
  const press = useRef<Promise<void>>(undefined)
  return {
    noteFor: (name: Name) => (left.includes(name) ? noteOn(name, typed[name]) : undefined),
    leave: async (name: Name) => {
      // A note makes room for itself: what is being pressed must not move away under the pointer.
      await press.current
      setLeft((names) => [...new Set([...names, name])])
    },
    /** To be told of what is about to change. */
    follow: (changes: Readonly<Partial<Record<Name, string>>>) =>
      setLeft((names) =>
        names.filter((name) => {
          const next = changes[name]
          return next === undefined || (noteOn(name, typed[name]) && noteOn(name, next))
        }),
      ),
    forget: () => setLeft([]),
    /** For the form, to hear of each press on it. */
    onMouseDownCapture: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      // The click comes right after it.
      window.addEventListener('mouseup', () => setTimeout(resolve), { once: true })
      press.current = promise
    },
  }
}
