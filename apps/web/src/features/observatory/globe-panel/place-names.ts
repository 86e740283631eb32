import type { Country } from '../countries/country-table.ts'
import type { Globe } from '../globe/globe.ts'
import type { GlobeLabel, GlobeLabels } from './globe-labels.ts'

/** From here on a state is wide enough for its name. */
const leastZoom = 1.4

interface PlaceNames {
  /** After the globe has come to rest. */
  readonly follow: () => void
  readonly stop: () => void
}

const fetchCountries = async () => (await import('../countries/country-table.ts')).countries

/** Writes the states' names on the globe up close; their table is loaded when it is first needed. */
export function followPlaceNames(globe: Globe, labels: GlobeLabels): PlaceNames {
  let table: Promise<readonly Country[]> | undefined
  let isShown = false
  let isStopped = false

  const show = (places: readonly GlobeLabel[]) => {
    isShown = places.length > 0
    labels.showPlaces(places)
  }
  const load = async () => {
    table ??= fetchCountries()
    const countries = await table
    if (isStopped || isShown || globe.camera.zoom < leastZoom) return
    show(countries.flatMap(({ states }) => states.map((state) => ({ ...state, text: state.name }))))
  }

  return {
    follow() {
      const { view, zoom } = globe.camera
      if (view === 'earth' && zoom >= leastZoom) {
        // Decoration: without the table the globe has no names, and is tried again at the next rest.
        load().catch(() => {
          table = undefined
        })
      } else if (isShown) show([])
    },
    stop() {
      isStopped = true
    },
  }
}
