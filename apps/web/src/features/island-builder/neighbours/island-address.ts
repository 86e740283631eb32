import { Slug } from '@astropelago/contract/slugs'
import * as v from 'valibot'

/** Finds the slug in typed or pasted text: a slug, a path or the full address of an island's page. */
export function slugIn(text: string): string | undefined {
  const typed = text.trim()
  const path = URL.canParse(typed) ? new URL(typed).pathname : typed
  const [first = '', second] = path.split('/').filter((segment) => segment !== '')
  const parsed = v.safeParse(Slug, first === 'islands' && second !== undefined ? second : first)
  return parsed.success ? parsed.output : undefined
}

/** A copy of the list with one item moved up or down by one. */
export function moved<T>(list: readonly T[], from: number, by: -1 | 1): readonly T[] {
  const item = list[from]
  const next = [...list]
  if (item === undefined || list[from + by] === undefined) return next
  next.splice(from, 1)
  next.splice(from + by, 0, item)
  return next
}
