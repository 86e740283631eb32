import {
  type Location,
  type NavigateOptions,
  NavigationType,
  type Navigator,
  parsePath,
  type RouteObject,
  type To,
  UNSAFE_createBrowserHistory as createBrowserHistory,
} from 'react-router'
import { presentAddress } from './page-parts.ts'
import { loadPageAt } from './page-route.tsx'

/** What is on the screen. */
export interface Visit {
  readonly action: NavigationType
  readonly location: Location
  readonly keepsScroll: boolean
}

interface Screen {
  /** The page at this path is loading; undefined if none is. */
  readonly onNext: (pathname: string | undefined) => void
  readonly onVisit: (visit: Visit) => void
}

/**
 * Navigates within the browser's history. An entry is added when its page can be drawn, so that a second
 * click before that replaces the first.
 */
export class PageNavigator implements Navigator {
  readonly #routes: RouteObject[]
  readonly #history = createBrowserHistory({ v5Compat: true })
  #visit: Visit
  #screen: Screen | undefined
  #keepsScroll = false
  /** Counts navigations: only the last one is shown. */
  #count = 0

  constructor(routes: RouteObject[]) {
    this.#routes = routes
    const address = presentAddress(this.#history.location)
    if (address !== undefined) this.#history.replace(address, this.#history.location.state)
    const { action, location } = this.#history
    this.#visit = { action, location, keepsScroll: false }
  }

  get visit(): Visit {
    return this.#visit
  }

  /** @returns stops following the history */
  start(screen: Screen): () => void {
    this.#screen = screen
    const show = () => this.#show()
    const stop = this.#history.listen(({ action }) =>
      action === NavigationType.Pop ? this.#whenLoaded(this.#history.location, show) : show(),
    )
    if (loadPageAt(this.#routes, this.#visit.location.pathname) !== undefined) {
      this.#whenLoaded(this.#visit.location, show)
    }
    return () => {
      stop()
      this.#screen = undefined
    }
  }

  // The router calls these without the object.
  readonly push = (to: To, state?: unknown, options?: NavigateOptions): void =>
    this.#go(to, options, (present) => this.#history.push(present, state))

  readonly replace = (to: To, state?: unknown, options?: NavigateOptions): void =>
    this.#go(to, options, (present) => this.#history.replace(present, state))

  readonly go = (delta: number): void => this.#history.go(delta)

  readonly createHref = (to: To): string => this.#history.createHref(to)

  readonly encodeLocation = (to: To) => this.#history.encodeLocation(to)

  #go(to: To, options: NavigateOptions | undefined, change: (to: To) => void): void {
    const path = typeof to === 'string' ? parsePath(to) : to
    const { pathname = this.#visit.location.pathname, search = '', hash = '' } = path
    const present = presentAddress({ pathname, search, hash }) ?? to
    this.#whenLoaded(path, () => {
      this.#keepsScroll = options?.preventScrollReset ?? false
      change(present)
      this.#keepsScroll = false
    })
  }

  #whenLoaded(
    { pathname = this.#visit.location.pathname }: { pathname?: string },
    then: () => void,
  ) {
    this.#count += 1
    const count = this.#count
    const loading = loadPageAt(this.#routes, pathname)
    if (loading === undefined) return then()
    this.#screen?.onNext(pathname)
    void this.#after(loading, count, then)
  }

  async #after(loading: Promise<void>, count: number, then: () => void): Promise<void> {
    await loading
    if (count === this.#count) then()
  }

  #show(): void {
    const { action, location } = this.#history
    this.#visit = { action, location, keepsScroll: this.#keepsScroll }
    this.#screen?.onVisit(this.#visit)
    this.#screen?.onNext(undefined)
  }
}
