import { SiteLinks } from '@astropelago/contract/site'
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

const none: SiteLinks = []
let read: { readonly text: string; readonly links: SiteLinks } | undefined

/**
 * Links to the operator's pages. The server writes them into each page. Prerendered markup has none, so
 * they appear a moment later.
 */
export function useSiteLinks(): SiteLinks {
  return useSyncExternalStore(neverChanges, readLinks, () => none)
}

const neverChanges = () => () => undefined

function readLinks(): SiteLinks {
  const text = document.documentElement.dataset['links'] ?? ''
  if (read?.text !== text) read = { text, links: parse(text) }
  return read.links
}

function parse(text: string): SiteLinks {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), SiteLinks), text)
  return parsed.success ? parsed.output : none
}
