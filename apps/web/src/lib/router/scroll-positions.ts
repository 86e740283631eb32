import type { Location } from 'react-router'
import * as v from 'valibot'
import { storedValue } from '../stored-value.ts'

const stored = storedValue(
  'astropelago:scroll',
  v.record(v.string(), v.number()),
  () => window.sessionStorage,
)

/**
 * Where each entry of the browser's history was scrolled to. The browser itself would restore that before
 * the page is drawn.
 */
export class ScrollPositions {
  readonly #positions = new Map<string, number>()

  /**
   * Keeps the positions across reloads.
   * @param shown the location on the screen
   * @returns stops keeping them
   */
  keep(shown: () => Location): () => void {
    for (const [key, top] of Object.entries(stored.read() ?? {})) this.#positions.set(key, top)
    const leaving = new AbortController()
    const store = () => {
      this.leave(shown())
      stored.write(Object.fromEntries(this.#positions))
      // Without storage, the browser restores the position of this entry.
      window.history.scrollRestoration = 'auto'
    }
    restoreByScript()
    window.addEventListener('pagehide', store, { signal: leaving.signal })
    window.addEventListener('pageshow', restoreByScript, { signal: leaving.signal })
    return () => {
      leaving.abort()
      window.history.scrollRestoration = 'auto'
    }
  }

  leave(location: Location): void {
    this.#positions.set(entryKey(location), window.scrollY)
  }

  /** Scrolls to where this entry was, to the section in its address, or to the top. */
  enter(location: Location, keepsScroll: boolean): void {
    const top = this.#positions.get(entryKey(location))
    const section = location.hash === '' ? null : document.getElementById(sectionId(location))
    if (top !== undefined) window.scrollTo(0, top)
    else if (section !== null) section.scrollIntoView()
    else if (!keepsScroll) window.scrollTo(0, 0)
  }
}

function restoreByScript(): void {
  window.history.scrollRestoration = 'manual'
}

function sectionId({ hash }: Location): string {
  const id = hash.slice(1)
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/**
 * Entries that were loaded, not navigated to, all have the key `default`. The path tells them apart.
 */
function entryKey({ key, pathname }: Location): string {
  return key === 'default' ? pathname : key
}
