import { type RefObject, useEffect, useState } from 'react'
import type { Problems } from './form-problems.ts'

/** What is wrong with a form's fields; the first of them gets the focus. */
export function useProblems(form: RefObject<HTMLFormElement | null>) {
  const [problems, setProblems] = useState<Problems>({})
  // After the field that it is about has been marked.
  useEffect(() => {
    if (Object.keys(problems).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [form, problems])
  return [problems, setProblems] as const
}
