import type { FieldErrors } from '@astropelago/contract/error-body'
import { useMutation } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../api-error.ts'
import { failureText, fieldErrors } from '../failure-text.ts'
import type { StoredValue } from '../stored-value.ts'
import type { Reading } from './reading.ts'

interface ApiFormOptions<Values, Body, Answer> {
  /** The values without edits. When they change, as after a refetch, the edits stay. */
  readonly values: Values
  readonly read: (values: Values) => Reading<Body>
  readonly send: (body: Body) => Promise<Answer>
  /** Runs after success. The form is busy until it resolves. */
  readonly onSent?: (answer: Answer) => unknown
  /** Describes a refusal. */
  readonly explain?: (error: unknown, body: Body) => string | undefined
  /** The fields that refusals are about, by their codes. They may depend on what was chosen. */
  readonly fieldOf?: FieldsByCode<Values> | ((values: Values) => FieldsByCode<Values>)
  /** The only field, at which every refusal is shown. */
  readonly onlyField?: keyof Values & string
  /** A remark about a text that can be sent all the same. */
  readonly remarkOn?: (name: TextName<Values>, text: string) => string | undefined
  /** Keeps unsent input over a reload. */
  readonly draft?: StoredValue<Values> | undefined
  /** The fields that keep their input after success. The others return to `values`. */
  readonly keeps?: readonly (keyof Values)[]
  /** Whether the page goes away after success. The form then stays busy. */
  readonly leavesPage?: boolean
  /** Whether the first field gets the focus at once. */
  readonly takesFocus?: boolean
  /** The field to focus after a failed try if no field is wrong. */
  readonly focusAfter?: (values: Values) => string | undefined
}

type FieldsByCode<Values> = Readonly<Record<string, keyof Values & string>>

/** The fields in which text is typed. */
type TextName<Values> = {
  [Name in keyof Values]: Values[Name] extends string ? Name : never
}[keyof Values] &
  string

const none: FieldErrors = {}

/**
 * A form whose data goes to the server. A field that was left shows a note if its text would be refused.
 * After a failed try the first wrong field gets the focus, and all input stays.
 */
export function useApiForm<Values extends object, Body, Answer>(
  options: ApiFormOptions<Values, Body, Answer>,
) {
  const { read, remarkOn, draft, explain = failureText, onlyField } = options
  const { keeps = [], leavesPage = false } = options
  const [edits, setEdits] = useState<Partial<Values>>(() => draft?.read() ?? {})
  const values: Values = { ...options.values, ...edits }
  const fieldOf = typeof options.fieldOf === 'function' ? options.fieldOf(values) : options.fieldOf
  const [problems, setProblems] = useState(none)
  const [failedTries, setFailedTries] = useState(0)
  const element = useRef<HTMLFormElement>(null)
  const isSending = useRef(false)
  const sentEdits = useRef<Partial<Values>>({})
  const notes = useNotes<TextName<Values>>()

  const refuse = (found: FieldErrors) => {
    setProblems(found)
    setFailedTries((tries) => tries + 1)
  }
  const refusalOf = (error: unknown, text: string): FieldErrors => {
    const code = error instanceof ApiError ? error.code : ''
    const fields = fieldErrors(error)
    const about = fieldOf?.[code]
    if (about !== undefined) return { [about]: text }
    if (onlyField !== undefined) return { [onlyField]: fields[onlyField] ?? text }
    const isShown = Object.keys(fields).some((name) => hasField(values, name))
    // The sentence of this code says no more than its fields do.
    return isShown && code === 'invalid_input' ? fields : { ...fields, form: text }
  }
  const sending = useMutation({
    mutationFn: options.send,
    onSuccess: async (answer) => {
      draft?.clear()
      await options.onSent?.(answer)
      if (leavesPage) return
      const sent = new Map<string, unknown>(Object.entries(sentEdits.current))
      setEdits((current) => {
        const typed = new Map<string, unknown>(Object.entries(current))
        // What was typed while the form was being sent stays too.
        return entriesOf(
          current,
          (name) => keeps.some((kept) => kept === name) || typed.get(name) !== sent.get(name),
        )
      })
      notes.forget()
    },
    onError: (error, body) => refuse(refusalOf(error, explain(error, body) ?? '')),
    onSettled: () => {
      isSending.current = false
    },
    // What is sent may hold passwords, and the answer secrets.
    gcTime: 0,
  })
  const isBusy = sending.isPending || (leavesPage && sending.isSuccess)

  const focusWrongField = useEffectEvent(() => {
    const wrong = element.current?.querySelector<HTMLElement>(
      '[aria-invalid], [data-invalid] input',
    )
    const other = options.focusAfter?.(values)
    const field =
      wrong ?? (other && element.current?.querySelector<HTMLElement>(`[name="${other}"]`))
    if (field) field.focus()
  })
  const takeFocus = useEffectEvent(() => {
    if (options.takesFocus) element.current?.querySelector<HTMLElement>('input, textarea')?.focus()
  })
  useEffect(() => takeFocus(), [])

  // Runs after the field has been marked as invalid.
  useEffect(() => {
    if (failedTries > 0) focusWrongField()
  }, [failedTries])

  const keepDraft = useEffectEvent((current: Partial<Values>) => {
    const edited: Values = { ...options.values, ...current }
    if (JSON.stringify(edited) === JSON.stringify(options.values)) draft?.clear()
    else draft?.write(edited)
  })
  useEffect(() => keepDraft(edits), [edits])

  const problemsIn = (typed: Values): FieldErrors => {
    const reading = read(typed)
    return 'problems' in reading ? reading.problems : none
  }
  const noteOn = (name: TextName<Values>, typed: Values) => {
    const text = String(typed[name])
    const problem = text.trim() === '' ? undefined : problemsIn(typed)[name]
    return problem ?? remarkOn?.(name, text)
  }
  const change = (changes: Partial<Values>) => {
    // The edits may be newer than this render, because a place can take long to find.
    setEdits((current) => ({ ...current, ...changes }))
    const next: Values = { ...values, ...changes }
    const [before, after] = [problemsIn(values), problemsIn(next)]
    setProblems((current) =>
      entriesOf(current, (name) => {
        // A changed field no longer has the value that was refused.
        const isMended = name in before && !(name in after)
        return !isMended && !hasField(changes, name)
      }),
    )
    notes.keep((name) => !(name in changes) || Boolean(noteOn(name, values) && noteOn(name, next)))
  }
  const send = (changes?: Partial<Values>) => {
    if (isSending.current || isBusy) return
    if (changes) setEdits((current) => ({ ...current, ...changes }))
    const reading = read({ ...values, ...changes })
    if ('body' in reading) {
      isSending.current = true
      sentEdits.current = { ...edits, ...changes }
      setProblems(none)
      sending.mutate(reading.body)
    } else {
      sending.reset()
      refuse(reading.problems)
    }
  }
  const reset = () => {
    setEdits({})
    setProblems(none)
    notes.forget()
  }
  const problemOf = (name: string): string | undefined => problems[name]

  return {
    values,
    change,
    /** Sends the form, with changes if there are any. */
    send,
    /** Drops all edits. */
    reset,
    isBusy,
    /** The answer, after success. */
    answer: sending.data,
    isSent: sending.isSuccess,
    error: sending.error,
    problemOf,
    /** What is wrong with the form as a whole. */
    failure: problemOf('form'),
    /** The properties of a text field, except its label. */
    text: (name: TextName<Values>) => ({
      name,
      value: String(values[name]),
      error: problemOf(name),
      note: problemOf(name) || !notes.has(name) ? undefined : noteOn(name, values),
      onChange: (text: string) => change(entryOf<Values>(name, text)),
      onBlur: () => void notes.leave(name),
    }),
    /** The properties of the form element. */
    wiring: {
      ref: element,
      noValidate: true,
      onMouseDownCapture: notes.onMouseDownCapture,
      onSubmit: (event: SyntheticEvent) => {
        event.preventDefault()
        send()
      },
    },
  }
}

/** A form, whatever it sends. */
export type ApiForm<Values extends object> = Pick<
  ReturnType<typeof useApiForm<Values, unknown, unknown>>,
  'values' | 'change' | 'send' | 'isBusy' | 'problemOf' | 'failure' | 'text' | 'wiring'
>

/** The fields that were left with their current text. */
function useNotes<Name extends string>() {
  const [left, setLeft] = useState<readonly Name[]>([])
  const press = useRef<Promise<void>>(undefined)
  return {
    has: (name: Name) => left.includes(name),
    leave: async (name: Name) => {
      // A note takes up space. Wait until a mouse press is over, so that its target does not move away.
      await press.current
      setLeft((names) => [...new Set([...names, name])])
    },
    keep: (isKept: (name: Name) => boolean) => setLeft((names) => names.filter(isKept)),
    forget: () => setLeft([]),
    onMouseDownCapture: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      // The click follows right after mouseup.
      window.addEventListener('mouseup', () => setTimeout(resolve), { once: true })
      press.current = promise
    },
  }
}

function hasField(values: object, problem: string): boolean {
  return Object.keys(values).some((field) => isWithin(problem, field))
}

/** Whether a problem is about a field or a part of it, such as `hours` and `hours.from`. */
function isWithin(problem: string, field: string): boolean {
  return problem === field || problem.startsWith(`${field}.`)
}

// The names are those of `Values`, which TypeScript can't follow through Object.fromEntries.
function entriesOf<Entries>(entries: Entries, isKept: (name: string) => boolean): Entries
function entriesOf(entries: object, isKept: (name: string) => boolean): object {
  return Object.fromEntries(Object.entries(entries).filter(([name]) => isKept(name)))
}

// The caller has checked that the field holds text.
function entryOf<Values>(name: keyof Values, text: string): Partial<Values>
function entryOf(name: PropertyKey, text: string): object {
  return { [name]: text }
}
