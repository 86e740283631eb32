import { type RefObject, useEffect, useState } from 'react'
import type { Problems } from './form-problems.ts'

/** A form's validation errors. The first field with an error gets the focus. */
export function useProblems(form: RefObject<HTMLFormElement | null>) {
  const [problems, setProblems] = useState<Problems>({})
  // Runs after the field has been marked as invalid.
  useEffect(() => {
    if (Object.keys(problems).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [form, problems])
  return [problems, setProblems] as const
}
