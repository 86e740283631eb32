import { useRef, useState } from 'react'
import type { DeviceDraft } from './device-draft.ts'
import { noteOn, type TypedField } from './field-notes.ts'

/**
 * Notes on what stands in the fields: one comes when its field is left, not while it is typed in, and
 * goes as soon as what it is about is mended.
 */
export function useFieldNotes(draft: DeviceDraft) {
  /** Fields that were left as they are. */
  const [left, setLeft] = useState<readonly TypedField[]>([])
  const press = useRef<Promise<void>>(undefined)
  return {
    noteFor: (field: TypedField) =>
      left.includes(field) ? noteOn(field, draft[field]) : undefined,
    leave: async (field: TypedField) => {
      // A note makes room for itself: what is being pressed must not move away under the pointer.
      await press.current
      setLeft((fields) => [...new Set([...fields, field])])
    },
    /** To be told of what is about to change. */
    follow: (changes: Partial<DeviceDraft>) =>
      setLeft((fields) =>
        fields.filter((field) => {
          const next = changes[field]
          return next === undefined || (noteOn(field, draft[field]) && noteOn(field, next))
        }),
      ),
    forget: () => setLeft([]),
    /** Hears each press on the form. */
    onMouseDownCapture: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      // The click comes right after it.
      window.addEventListener('mouseup', () => setTimeout(resolve), { once: true })
      press.current = promise
    },
  }
}
