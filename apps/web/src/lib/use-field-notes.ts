import { useRef, useState } from 'react'

/**
 * Notes on form fields. A note appears when its field loses the focus, not while typing, and disappears as
 * soon as its cause is fixed.
 * @param noteOn the note for a field's text
 */
export function useFieldNotes<Name extends string>(
  typed: Readonly<Record<Name, string>>,
  noteOn: (name: Name, text: string) => string | undefined,
) {
  /** Fields that lost the focus with their current text. */
  const [left, setLeft] = useState<readonly Name[]>([])
  const press = useRef<Promise<void>>(undefined)
  return {
    noteFor: (name: Name) => (left.includes(name) ? noteOn(name, typed[name]) : undefined),
    leave: async (name: Name) => {
      // A note takes up space. Wait until a mouse press is over, so that its target does not move away.
      await press.current
      setLeft((names) => [...new Set([...names, name])])
    },
    /** Call it before the values change. */
    follow: (changes: Readonly<Partial<Record<Name, string>>>) =>
      setLeft((names) =>
        names.filter((name) => {
          const next = changes[name]
          return next === undefined || (noteOn(name, typed[name]) && noteOn(name, next))
        }),
      ),
    forget: () => setLeft([]),
    /** Spread on the form, to see each mouse press. */
    onMouseDownCapture: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      // The click follows right after mouseup.
      window.addEventListener('mouseup', () => setTimeout(resolve), { once: true })
      press.current = promise
    },
  }
}
